// Small parts that all widgets use. Each passes `data-testid` and aria attributes on.
import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Refused } from "../link.ts";
import type { Progress as Done } from "../protocol.ts";
import { useSay, useShared } from "../shell.tsx";
import type { Table } from "../words.ts";
import { loose } from "./focus.ts";

type ButtonProps = JSX.IntrinsicElements["button"] & {
  tone?: "plain" | "primary" | "danger";
  /** It asks the kernel: disabled while nobody answers. */
  asks?: boolean;
};

/** A button; `asks` disables it while the kernel does not answer. */
export function Button({ tone = "plain", asks = false, disabled, class: extra, ...rest }: ButtonProps) {
  const { link } = useShared();
  const off = Boolean(disabled) || (asks && link.state.value !== "live");
  return <button type="button" {...rest} disabled={off} class={`lk-button lk-${tone} ${extra ?? ""}`} />;
}

interface Option<T extends string> {
  value: T;
  label: string;
  testid?: string;
}

/** One of several, as a row of buttons; arrows move, as in a radio group. */
export function Choice<T extends string>(props: {
  label: string;
  value: T;
  options: readonly Option<T>[];
  onChange: (value: T) => void;
  testid?: string;
}) {
  const { label, value, options, onChange, testid } = props;
  const row = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = options.findIndex((option) => option.value === value);
    const next = (at + step + options.length) % options.length;
    const chosen = options[next];
    if (chosen === undefined) return;
    onChange(chosen.value);
    (row.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <div class="lk-group" role="radiogroup" aria-label={label} ref={row} onKeyDown={move} data-testid={testid}>
      {options.map((option) => (
        // biome-ignore lint/a11y/useSemanticElements: a row of buttons with roving focus, named as a radio group
        <button
          type="button"
          role="radio"
          class="lk-button"
          key={option.value}
          aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          data-testid={option.testid}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}

/** Which page, out of all by their titles. */
export function UnitChooser(props: {
  label: string;
  value: string;
  units: readonly { unit: string; title: string }[];
  onChoose: (unit: string) => void;
  testid: string;
}) {
  const { label, value, units, onChoose, testid } = props;
  return (
    <select
      class="lk-input"
      aria-label={label}
      value={value}
      data-testid={testid}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {units.map(({ unit, title }) => (
        <option key={unit} value={unit}>
          {title}
        </option>
      ))}
    </select>
  );
}

/** A dialog over its widget: it takes the focus, keeps it, gives it back unless it is elsewhere; Escape closes it. */
export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren; testid?: string }) {
  const { title, onClose, children, testid } = props;
  const box = useRef<HTMLDivElement>(null);
  const name = useId();
  // Before it is painted: a moment later the focus would be taken from a field that somebody already types into.
  useLayoutEffect(() => {
    const before = document.activeElement;
    focusable(box.current)[0]?.focus();
    return () => {
      if (before instanceof HTMLElement && loose(box.current)) before.focus();
    };
  }, []);
  const keys = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      onClose();
    }
    if (event.key !== "Tab") return;
    const stops = focusable(box.current);
    const edge = event.shiftKey ? stops[0] : stops.at(-1);
    if (document.activeElement === edge) {
      event.preventDefault();
      (event.shiftKey ? stops.at(-1) : stops[0])?.focus();
    }
  };
  return (
    <div class="lk-veil">
      <div
        class="lk-dialog"
        role="dialog"
        aria-modal="true"
        aria-labelledby={name}
        ref={box}
        onKeyDown={keys}
        data-testid={testid}
      >
        <h3 id={name}>{title}</h3>
        {children}
      </div>
    </div>
  );
}

function focusable(within: HTMLElement | null): HTMLElement[] {
  const found = within?.querySelectorAll<HTMLElement>("button, input, textarea, select, a[href], [tabindex='0']") ?? [];
  return [...found].filter((item) => !item.matches(":disabled") && item.offsetParent !== null);
}

const WORDS = {
  failed: ["That did not work: {what}", "未能完成：{what}"],
  expected: ["expected: {what}", "应为：{what}"],
  found: ["found: {what}", "实为：{what}"],
  about: ["about: {what}", "涉及：{what}"],
  todo: ["what to do: {what}", "怎么办：{what}"],
} as const satisfies Table;

/** An error with all that helps: what is wrong, what was expected and found, what it is about, what to do. */
export function ErrorBox({ error, testid = "error" }: { error: unknown; testid?: string }) {
  const say = useSay(WORDS);
  if (error === undefined || error === null) return null;
  if (!(error instanceof Refused)) {
    return (
      <p class="lk-error" role="alert" data-testid={testid}>
        {say("failed", { what: error instanceof Error ? error.message : String(error) })}
      </p>
    );
  }
  const { code, message, expected, found, ids, recovery } = error.refusal;
  const lines = [
    message,
    expected === undefined ? "" : say("expected", { what: inWords(expected) }),
    found === undefined ? "" : say("found", { what: inWords(found) }),
    ids?.length ? say("about", { what: ids.join(", ") }) : "",
    recovery ? say("todo", { what: recovery }) : "",
  ];
  return (
    <p class="lk-error" role="alert" data-testid={testid} data-code={code}>
      {lines.filter(Boolean).join("\n")}
    </p>
  );
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(inWords).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** How far something is; a bar without an end while that is not known. */
export function ProgressBar({ progress, testid = "progress" }: { progress: Done | undefined; testid?: string }) {
  if (progress === undefined) return null;
  const { done, total, words } = progress;
  return (
    <div class="lk-progress" role="status" data-testid={testid}>
      {total > 0 ? <progress value={done} max={total} aria-label={words} /> : <progress aria-label={words} />}
      <span class="lk-soft">{total > 0 ? `${words} ${done}/${total}` : words}</span>
    </div>
  );
}
