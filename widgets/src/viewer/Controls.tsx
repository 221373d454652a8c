// What lies over a picture: captions, the edge of swipe, how much of onion, blinking, zoom.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useSay } from "../shell.tsx";
import type { Table } from "../words.ts";
import type { Mode } from "./sheet.ts";

const WORDS = {
  before: ["Before", "之前"],
  after: ["After", "之后"],
  edge: ["Edge between {one} and {other}", "“{one}”与“{other}”的分界"],
  amount: ["How much of {name}", "“{name}”的浓度"],
  swap: ["Show {name}", "显示“{name}”"],
  blinking: ["Blink by itself", "自动闪烁"],
  changed: ["Changed", "有变化"],
  same: ["No difference", "没有差别"],
  nearer: ["Zoom in", "放大"],
  farther: ["Zoom out", "缩小"],
  whole: ["Show all", "显示全部"],
} as const satisfies Table;

const BLINK = 700;

export interface Names {
  sheet: string;
  against: string;
}

function useNames(names: Names | undefined): Names {
  const say = useSay(WORDS);
  return names ?? { sheet: say("after"), against: say("before") };
}

export function Captions(props: { mode: Mode; names: Names | undefined; swapped: boolean; same: boolean }) {
  const say = useSay(WORDS);
  const { sheet, against } = useNames(props.names);
  const { mode, swapped } = props;
  if (mode === "single" || mode === "onion") return null;
  if (mode === "difference") {
    const kind = props.same ? "" : "lk-viewer-caption-changed";
    return <p class={`lk-viewer-caption ${kind}`}>{say(props.same ? "same" : "changed")}</p>;
  }
  if (mode === "blink") return <p class="lk-viewer-caption">{swapped ? against : sheet}</p>;
  return (
    <>
      <p class="lk-viewer-caption">{against}</p>
      <p class={`lk-viewer-caption lk-viewer-caption-${mode}`}>{sheet}</p>
    </>
  );
}

export function Share(props: {
  mode: Mode;
  names: Names | undefined;
  share: number;
  onShare: (share: number) => void;
  swapped: boolean;
  onSwap: () => void;
}) {
  const say = useSay(WORDS);
  const { mode, share, onShare, swapped, onSwap } = props;
  const { sheet, against } = useNames(props.names);
  if (mode === "swipe") {
    return <Edge share={share} onShare={onShare} label={say("edge", { one: against, other: sheet })} />;
  }
  if (mode === "onion") {
    return (
      <label class="lk-viewer-share">
        <span>{against}</span>
        <input
          type="range"
          min={0}
          max={100}
          value={Math.round(share * 100)}
          aria-label={say("amount", { name: sheet })}
          data-testid="viewer-share"
          onInput={(event) => onShare(Number(event.currentTarget.value) / 100)}
        />
        <span>{sheet}</span>
      </label>
    );
  }
  if (mode === "blink") return <Blink name={swapped ? sheet : against} onSwap={onSwap} />;
  return null;
}

function Edge({ share, onShare, label }: { share: number; onShare: (share: number) => void; label: string }) {
  const drag = (event: PointerEvent) => {
    const grip = event.currentTarget as HTMLElement;
    if (!grip.hasPointerCapture(event.pointerId)) return;
    const box = grip.parentElement?.getBoundingClientRect();
    if (box) onShare(within((event.clientX - box.left) / box.width));
  };
  const keys = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -0.02, ArrowRight: 0.02, PageDown: -0.2, PageUp: 0.2, Home: -1, End: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onShare(within(share + by));
  };
  return (
    <div
      class="lk-viewer-edge"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      style={{ left: `${share * 100}%` }}
      data-testid="viewer-edge"
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={keys}
    />
  );
}

function within(share: number): number {
  return Math.min(1, Math.max(0, share));
}

function Blink({ name, onSwap }: { name: string; onSwap: () => void }) {
  const say = useSay(WORDS);
  const [running, setRunning] = useState(() => !matchMedia("(prefers-reduced-motion: reduce)").matches);
  const swap = useRef(onSwap);
  swap.current = onSwap;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => swap.current(), BLINK);
    return () => clearInterval(timer);
  }, [running]);
  return (
    <div class="lk-viewer-share">
      <label>
        <input
          type="checkbox"
          checked={running}
          data-testid="viewer-blinking"
          onInput={(event) => setRunning(event.currentTarget.checked)}
        />
        {say("blinking")}
      </label>
      <button
        type="button"
        class="lk-button"
        data-testid="viewer-swap"
        onClick={() => {
          setRunning(false);
          onSwap();
        }}
      >
        {say("swap", { name })}
      </button>
    </div>
  );
}

/** Zooming by hand, and how far one is: 100 % is paper on a screen of 96 pixels an inch. */
export function Zoom(props: {
  onBy: (factor: number) => void;
  onWhole: () => void;
  /** where `say` is put, to be told of the scale without drawing anew */
  meter: { current: ((scale: number) => void) | null };
  scale: number;
}) {
  const { onBy, onWhole, meter, scale } = props;
  const say = useSay(WORDS);
  const shown = useRef<HTMLSpanElement>(null);
  const tell = (now: number) => {
    if (shown.current) shown.current.textContent = `${Math.round(((now * 25.4) / 96) * 100)} %`;
  };
  useLayoutEffect(() => {
    meter.current = tell;
    tell(scale);
    return () => {
      meter.current = null;
    };
  });
  const button = (sign: ComponentChildren, name: string, testid: string, act: () => void) => (
    <button type="button" class="lk-button" aria-label={name} title={name} data-testid={testid} onClick={act}>
      {sign}
    </button>
  );
  return (
    <div class="lk-viewer-zoom">
      {button("−", say("farther"), "viewer-zoom-out", () => onBy(1 / 1.5))}
      <span ref={shown} data-testid="viewer-zoom" />
      {button("+", say("nearer"), "viewer-zoom-in", () => onBy(1.5))}
      {button(<Whole />, say("whole"), "viewer-fit", onWhole)}
    </div>
  );
}

function Whole() {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" fill="none" stroke="currentColor">
      <path d="M1 5V1h4M9 1h4v4M13 9v4H9M5 13H1V9" stroke-width="1.6" />
    </svg>
  );
}
