// A chapter's past as a graph of thousands of revisions: to look into, compare, and go back from.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Button, ProgressBar } from "../kit/kit.tsx";
import { useSay, useShared } from "../shell.tsx";
import { Compare } from "./Compare.tsx";
import { Detail } from "./Detail.tsx";
import { Filters } from "./Filters.tsx";
import { RestoreDialog, SaveDialog, WorkBar } from "./GoingBack.tsx";
import { Node } from "./Graph.tsx";
import { LANES, type Shape } from "./geometry.ts";
import { PickDialog } from "./PickDialog.tsx";
import { Rows } from "./Rows.tsx";
import { saidWhat, saidWho } from "./saying.ts";
import { HistoryStore, type Tab } from "./store.ts";
import { Trouble } from "./Trouble.tsx";
import { WORDS } from "./words.ts";

const NARROW = 640;
const LEGEND = [
  "person",
  "agent",
  "run",
  "merge",
  "back",
  "forth",
  "pick",
  "damage",
] as const satisfies readonly Shape[];

type Open = { kind: "restore" | "pick"; id: string } | { kind: "save" } | undefined;

export function HistoryView() {
  const { link, model, announce } = useShared();
  const say = useSay(WORDS);
  const store = useMemo(() => new HistoryStore(link, model), [link, model]);
  const root = useRef<HTMLElement>(null);
  const pane = useRef<HTMLElement>(null);
  const [narrow, setNarrow] = useState(false);
  const [open, setOpen] = useState<Open>();
  const [unit, setUnit] = useState("");

  store.onNews = (rows, count) => {
    const [row] = rows;
    if (row === undefined) return;
    const what = `${row.id}, ${saidWhat(say, row)}, ${saidWho(say, row)}`;
    store.note.value = count === 1 ? say("news", { what }) : say("newsMany", { n: count, what });
  };

  useEffect(() => {
    void store.sync({ find: store.selected.value });
    const stop = link.on("moved", ({ stamp }) => {
      if (stamp === "" || stamp !== store.overview.value?.stamp) void store.sync();
    });
    let before = link.state.value;
    const stopLine = link.state.subscribe((state) => {
      if (state === "live" && before !== "live") void store.sync();
      before = state;
    });
    return () => {
      stop();
      stopLine();
      store.close();
    };
  }, [store, link]);

  useEffect(() => {
    const element = root.current;
    if (element === null) return;
    const watcher = new ResizeObserver(() => setNarrow(element.clientWidth < NARROW));
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);

  const note = store.note.value;
  useEffect(() => {
    if (note !== "") announce(note);
  }, [note, announce]);

  const overview = store.overview.value;
  const look = (before: string, after: string, which: string) => {
    setUnit(which);
    store.compare(before, after);
  };
  const tab = (value: Tab) => {
    store.tab.value = value;
    store.save();
  };
  const close = () => setOpen(undefined);
  const fresh = store.fresh.value;
  const empty = overview !== undefined && overview.all <= 1;
  const crowd = Math.max(0, (overview?.right ?? 0) - (narrow ? LANES.narrow : LANES.wide));
  return (
    <section
      aria-label={overview ? `${say("title")}: ${overview.title}` : say("title")}
      class={`lk-history ${narrow ? "lk-history-narrow" : ""}`}
      ref={root}
      data-ready={overview !== undefined}
    >
      <div class="lk-bar">
        <h3>{overview?.title ?? say("title")}</h3>
        {link.state.value === "live" && <span class="lk-history-live">{say("live")}</span>}
        <span class="lk-history-room" />
        <WorkBar store={store} onSave={() => setOpen({ kind: "save" })} />
      </div>
      <Filters store={store} />
      <div class="lk-bar lk-history-status">
        <span data-testid="history-count">
          {overview && say(store.filtered ? "counted" : "everything", { shown: overview.shown, all: overview.all })}
        </span>
        <label>
          <input
            type="checkbox"
            checked={store.look.value.fold ?? true}
            data-testid="history-fold"
            onChange={(event) => store.set({ fold: event.currentTarget.checked, opened: [] })}
          />{" "}
          {say("fold")}
        </label>
        {crowd > 0 && <span class="lk-soft">{say("lanes", { n: crowd })}</span>}
        {fresh > 0 && (
          <Button
            tone="primary"
            data-testid="history-fresh"
            title={say("toTop")}
            onClick={() => void store.sync({ toTop: true })}
          >
            ↑ {say("fresh", { n: fresh })}
          </Button>
        )}
        {note !== "" && (
          <span class="lk-history-note" data-testid="history-note">
            {note}
          </span>
        )}
      </div>
      <Trouble error={store.error.value} onAgain={() => void store.sync()} />
      {overview === undefined && store.error.value === undefined && (
        <ProgressBar progress={{ done: 0, total: 0, words: say("loading") }} />
      )}
      {empty && <p data-testid="history-empty">{say("empty")}</p>}
      {overview !== undefined && overview.rows === 0 && <p data-testid="history-none">{say("none")}</p>}
      <div class="lk-history-halves">
        <div class="lk-history-left">
          <Rows store={store} onOpen={() => pane.current?.focus()} />
          <Legend />
        </div>
        <section
          class="lk-history-right"
          ref={pane}
          tabIndex={-1}
          aria-label={say("pane")}
          onKeyDown={(event) => {
            if (event.key !== "Escape" || event.defaultPrevented) return;
            event.preventDefault();
            root.current?.querySelector<HTMLElement>(".lk-history-list")?.focus();
          }}
        >
          <div class="lk-group" role="tablist" aria-label={say("pane")}>
            {(["revision", "compare"] as const).map((value) => (
              <button
                key={value}
                type="button"
                role="tab"
                class="lk-button"
                aria-selected={store.tab.value === value}
                tabIndex={store.tab.value === value ? 0 : -1}
                data-testid={`history-tab-${value}`}
                onClick={() => tab(value)}
                onKeyDown={(event) => {
                  if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
                  event.preventDefault();
                  tab(value === "revision" ? "compare" : "revision");
                  const other = event.currentTarget.nextElementSibling ?? event.currentTarget.previousElementSibling;
                  (other as HTMLElement | null)?.focus();
                }}
              >
                {say(value === "revision" ? "tabRevision" : "tabCompare")}
              </button>
            ))}
          </div>
          {store.tab.value === "revision" ? (
            <Detail
              store={store}
              onRestore={(id) => setOpen({ kind: "restore", id })}
              onPick={(id) => setOpen({ kind: "pick", id })}
              onLook={look}
            />
          ) : (
            <Compare store={store} unit={unit} onUnit={setUnit} />
          )}
        </section>
      </div>
      {open?.kind === "restore" && <RestoreDialog store={store} id={open.id} onClose={close} />}
      {open?.kind === "pick" && <PickDialog store={store} id={open.id} onClose={close} />}
      {open?.kind === "save" && <SaveDialog store={store} onClose={close} />}
    </section>
  );
}

function Legend() {
  const say = useSay(WORDS);
  const line = (kind: string, words: string) => (
    <li>
      <svg width="22" height="22" viewBox="-11 -11 22 22" aria-hidden="true">
        <path
          d="M0 -10V10"
          class={`lk-history-edge lk-history-${kind}`}
          data-dashed={kind === "branch" ? "" : undefined}
        />
      </svg>
      {words}
    </li>
  );
  return (
    <details class="lk-history-legend">
      <summary>{say("legend")}</summary>
      <ul>
        {LEGEND.map((shape) => (
          <li key={shape}>
            <svg width="22" height="22" viewBox="-11 -11 22 22" aria-hidden="true" class="lk-history-colour-1">
              <Node shape={shape} />
            </svg>
            {say(`l_${shape}`)}
          </li>
        ))}
        {line("trunk", say("l_work"))}
        {line("branch", say("l_dashed"))}
        {line("copy", say("l_copy"))}
      </ul>
    </details>
  );
}
