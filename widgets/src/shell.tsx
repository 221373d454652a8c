// What all widgets share around their component: theme, language, the state of the line, errors, announcements, keys.
import { useSignal } from "@preact/signals";
import { type ComponentType, createContext, render } from "preact";
import { useContext, useErrorBoundary, useMemo } from "preact/hooks";
import { Link } from "./link.ts";
import type { Model, Mounted } from "./protocol.ts";
import { hideStill } from "./still.ts";
import { STYLES } from "./styles.ts";
import { watchTheme } from "./theme.ts";
import { again, type Language, languageOf, type Say, speaker, type Table } from "./words.ts";

export interface Shared {
  link: Link;
  model: Model;
  language: Language;
  /** Say something to those who listen instead of looking. */
  announce: (words: string) => void;
}

const Around = createContext<Shared | undefined>(undefined);

/** What all parts of a widget share. */
export function useShared(): Shared {
  const shared = useContext(Around);
  if (shared === undefined) throw new Error("outside of a widget");
  return shared;
}

/** The words of a table in the widget's language. */
export function useSay<T extends Table>(table: T): Say<T> {
  const { language } = useShared();
  return useMemo(() => speaker(table, language), [table, language]);
}

const WORDS = {
  waiting: [
    "No answer from the kernel: it is busy, or gone. This view goes on when it answers.",
    "内核没有应答：可能正忙，也可能已停止。它应答后此视图会继续。",
  ],
  gone: ["Disconnected: the kernel was restarted or has ended. {again}", "已断开：内核已重启或已停止。{again}"],
  broken: ["This view failed: {what}. {again}", "此视图出错：{what}。{again}"],
} as const satisfies Table;

function Badge() {
  const { link, language } = useShared();
  const say = useSay(WORDS);
  const state = link.state.value;
  if (state === "live") return null;
  return (
    <p class={`lk-badge lk-badge-${state}`} role="status" data-testid="link-badge" data-state={state}>
      {say(state, { again: again(language) })}
    </p>
  );
}

function Guarded({ kind: Kind }: { kind: ComponentType }) {
  const { language } = useShared();
  const say = useSay(WORDS);
  const [error] = useErrorBoundary((thrown) => console.error(thrown));
  if (error !== undefined) {
    return (
      <p class="lk-error" role="alert" data-testid="broken">
        {say("broken", { what: error instanceof Error ? error.message : String(error), again: again(language) })}
      </p>
    );
  }
  return <Kind />;
}

function Shell({ shared, kind, spoken }: { shared: Omit<Shared, "announce">; kind: ComponentType; spoken: string }) {
  const words = useSignal("");
  const whole = useMemo<Shared>(
    () => ({
      ...shared,
      announce: (said) => {
        words.value = words.value === said ? `${said}\u00a0` : said;
      },
    }),
    [shared, words],
  );
  return (
    <Around.Provider value={whole}>
      <Badge />
      <Guarded kind={kind} />
      <div class="lk-unseen" aria-live="polite" data-testid="spoken" id={spoken}>
        {words}
      </div>
    </Around.Provider>
  );
}

let count = 0;

/** Put a component into a widget's element; gives the way to take it out. */
export function mount({ model, el, signal }: Mounted, kind: ComponentType, name: string): () => void {
  styled(el, String(model.get("build") ?? ""));
  const root = document.createElement("div");
  root.className = "lk";
  root.dataset.testid = `lantern-${name}`;
  root.dataset.lmSuppressShortcuts = "true";
  const language = languageOf(model);
  root.lang = language === "zh" ? "zh-Hans" : "en";
  // Keys that are meant for this widget insert no cells and run none.
  const keep = (event: Event) => event.stopPropagation();
  root.addEventListener("keydown", keep);
  root.addEventListener("keyup", keep);
  el.append(root);
  const unwatch = watchTheme(root);
  const shown = hideStill(String(model.get("still") ?? ""));
  const link = new Link(model, () => language);
  render(<Shell shared={{ link, model, language }} kind={kind} spoken={`lk-spoken-${count++}`} />, root);
  let done = false;
  const unmount = () => {
    if (done) return;
    done = true;
    render(null, root);
    link.close();
    unwatch();
    shown();
    root.remove();
  };
  signal.addEventListener("abort", unmount, { once: true });
  return unmount;
}

/** One style sheet a document, or a shadow tree, and build: a page may hold views of an older one. */
function styled(el: HTMLElement, build: string): void {
  const home = el.getRootNode();
  const place = home instanceof ShadowRoot ? home : document.head;
  if (place.querySelector(`style[data-lantern-kit="${CSS.escape(build)}"]`)) return;
  const sheet = document.createElement("style");
  sheet.dataset.lanternKit = build;
  sheet.textContent = STYLES;
  place.append(sheet);
}
