// A novel while it is written: its outline, its prose, what its author asked for, and whether it goes on.
import { useSignal } from "@preact/signals";
import { useEffect, useId, useMemo, useRef } from "preact/hooks";
import { ErrorBox } from "../kit/kit.tsx";
import { useSay, useShared } from "../shell.tsx";
import { Author } from "./Author.tsx";
import { Head } from "./Head.tsx";
import { Outline } from "./Outline.tsx";
import { Reading } from "./Reading.tsx";
import { Told } from "./shared.ts";
import { Story, type View } from "./store.ts";
import { WORDS } from "./words.ts";

/** Below this, the three parts are three views behind tabs. */
const NARROW = 760;
const VIEWS: readonly View[] = ["outline", "text", "author"];

export function NovelDesk() {
  const { link, model } = useShared();
  const say = useSay(WORDS);
  const story = useMemo(() => new Story(link, model), [link, model]);
  const root = useRef<HTMLElement>(null);
  const narrow = useSignal(false);
  const name = useId();

  useEffect(() => story.open(), [story]);
  useEffect(() => {
    if (root.current === null) return;
    const watch = new ResizeObserver(([entry]) => {
      if (entry !== undefined) narrow.value = entry.contentRect.width < NARROW;
    });
    watch.observe(root.current);
    return () => watch.disconnect();
  }, [narrow]);

  const desk = story.desk.value;
  const view = story.view.value;
  const pane = (which: View) =>
    narrow.value
      ? {
          id: `${name}-${which}`,
          role: "tabpanel" as const,
          "aria-labelledby": `${name}-${which}-tab`,
          hidden: view !== which,
        }
      : { id: `${name}-${which}`, role: "region" as const, "aria-label": say(which) };
  return (
    <Told.Provider value={story}>
      <section
        class="lk-novel"
        aria-label={say("title", { title: desk?.title ?? "" })}
        ref={root}
        data-narrow={narrow.value}
        data-testid="novel"
      >
        <ErrorBox error={story.errors.value.read} testid="novel-error" />
        {desk !== undefined && (
          <>
            <Head desk={desk} />
            {narrow.value && <Tabs name={name} view={view} open={desk.open} onView={(which) => story.look(which)} />}
            <div class="lk-novel-parts">
              <div class="lk-novel-outline" {...pane("outline")} data-testid="novel-outline">
                <Outline desk={desk} />
              </div>
              <div class="lk-novel-text" {...pane("text")} data-testid="novel-text">
                <Reading desk={desk} />
              </div>
              <div class="lk-novel-author" {...pane("author")} data-testid="novel-author">
                <Author desk={desk} />
              </div>
            </div>
          </>
        )}
      </section>
    </Told.Provider>
  );
}

/** Tabs as assistive software knows them: arrows move and choose. */
function Tabs({ name, view, open, onView }: { name: string; view: View; open: number; onView: (view: View) => void }) {
  const say = useSay(WORDS);
  const row = useRef<HTMLDivElement>(null);
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -VIEWS.length, End: VIEWS.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const far = Math.abs(step) === VIEWS.length;
    const at = VIEWS.indexOf(view);
    const next = far ? (step < 0 ? 0 : VIEWS.length - 1) : (at + step + VIEWS.length) % VIEWS.length;
    const chosen = VIEWS[next];
    if (chosen === undefined) return;
    onView(chosen);
    (row.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <div role="tablist" class="lk-novel-tabs" aria-label={say("views")} ref={row} onKeyDown={keys}>
      {VIEWS.map((which) => (
        <button
          type="button"
          role="tab"
          key={which}
          id={`${name}-${which}-tab`}
          class="lk-button"
          aria-selected={view === which}
          aria-controls={`${name}-${which}`}
          tabIndex={view === which ? 0 : -1}
          data-testid={`novel-tab-${which}`}
          onClick={() => onView(which)}
        >
          {say(which)}
          {which === "author" && open > 0 && (
            <>
              <span aria-hidden="true"> ({open})</span>
              <span class="lk-unseen"> {say("open_count", { n: open })}</span>
            </>
          )}
        </button>
      ))}
    </div>
  );
}
