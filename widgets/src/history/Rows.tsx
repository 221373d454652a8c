// The list: only the rows that are seen are there; it is gone through with keys.
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useSay, useShared } from "../shell.tsx";
import { Chunk } from "./Chunk.tsx";
import { LANES, type Scale } from "./geometry.ts";
import type { Row } from "./shapes.ts";
import type { HistoryStore } from "./store.ts";
import { WORDS } from "./words.ts";

const CHUNK = 15;
const WIDE = 30;
const NARROW = 54;
/** Pixels that a row needs to stand on one line. */
const ROOM = 700;
const PAUSE = 100;
const MINUTE = 60_000;

export function Rows({ store, onOpen }: { store: HistoryStore; onOpen: () => void }) {
  const say = useSay(WORDS);
  const { language, announce } = useShared();
  const box = useRef<HTMLDivElement>(null);
  const name = useId();
  const [narrow, setNarrow] = useState(false);
  const rowHeight = narrow ? NARROW : WIDE;
  const [span, setSpan] = useState<[number, number]>([0, 2]);
  const [now, setNow] = useState(Date.now);
  const pause = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const waiting = useRef(-1);
  const asked = useRef(0);
  const pages = store.pages.value;
  const overview = store.overview.value;
  const total = overview?.rows ?? 0;
  const scale: Scale = {
    height: rowHeight,
    left: overview?.left ?? 0,
    right: Math.min(narrow ? LANES.narrow : LANES.wide, overview?.right ?? 0),
  };

  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE);
    return () => clearInterval(timer);
  }, []);

  // Where one stands: which chunks are seen, and which rows are asked for.
  const stand = () => {
    const list = box.current;
    if (list === null) return;
    const rows = Math.ceil(list.clientHeight / rowHeight);
    store.seen = { top: list.scrollTop, rowHeight, rows };
    const first = Math.floor(list.scrollTop / rowHeight);
    const from = Math.max(0, Math.floor((first - 4) / CHUNK));
    const to = Math.floor((first + rows + 4) / CHUNK);
    setSpan((before) => (before[0] === from && before[1] === to ? before : [from, to]));
    if (store.fresh.value > 0 && list.scrollTop < rowHeight) store.fresh.value = 0;
    const held = store.pages.value;
    if (held === undefined) return;
    // While one scrolls rows are asked for now and then, with a screen's worth on both sides; at rest they are checked.
    const want = () => {
      asked.current = performance.now();
      void held.want(Math.max(0, first - rows), 3 * rows);
    };
    if (!held.has(first, rows) && performance.now() - asked.current > PAUSE) want();
    clearTimeout(pause.current);
    pause.current = setTimeout(() => {
      want();
      const seen = Array.from({ length: rows }, (_, at) => held.row(first + at)).filter((row) => row !== undefined);
      void store.check(seen);
    }, PAUSE);
  };
  const latest = useRef(stand);
  latest.current = stand;

  useLayoutEffect(() => {
    const list = box.current;
    if (list === null) return;
    let frame = 0;
    const moved = () => {
      if (frame !== 0) return;
      frame = requestAnimationFrame(() => {
        frame = 0;
        latest.current();
      });
    };
    list.addEventListener("scroll", moved, { passive: true });
    const watcher = new ResizeObserver(() => {
      setNarrow(list.clientWidth < ROOM);
      moved();
    });
    watcher.observe(list);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(pause.current);
      list.removeEventListener("scroll", moved);
      watcher.disconnect();
    };
  }, []);

  // The rows' height turned: the same row stays on top.
  const height = useRef(rowHeight);
  useLayoutEffect(() => {
    const list = box.current;
    if (list !== null && height.current !== rowHeight) list.scrollTop = (list.scrollTop / height.current) * rowHeight;
    height.current = rowHeight;
    latest.current();
  }, [rowHeight]);

  const wanted = store.scroll.value;
  useLayoutEffect(() => {
    const list = box.current;
    if (list === null) return;
    if (wanted !== undefined && Math.abs(list.scrollTop - wanted.top) >= 1) list.scrollTop = wanted.top;
    latest.current();
  }, [wanted, pages]);

  // The place of the selected one: where it was seen last, or where the kernel found it.
  const stood = useRef(-1);
  const cursor = (): number => {
    const { selected } = store;
    if (pages?.row(stood.current)?.id === selected.value) return stood.current;
    for (let place = span[0] * CHUNK; place < (span[1] + 1) * CHUNK; place++) {
      if (pages?.row(place)?.id === selected.value) return place;
    }
    return waiting.current >= 0 ? waiting.current : (overview?.places[selected.value] ?? -1);
  };

  const goTo = (place: number) => {
    const list = box.current;
    if (pages === undefined || list === null || total === 0) return;
    const target = Math.max(0, Math.min(total - 1, place));
    const top = target * rowHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
    latest.current();
    waiting.current = target;
    const take = () => {
      const row = pages.row(target);
      if (row === undefined || waiting.current !== target) return;
      stood.current = target;
      waiting.current = -1;
      store.select(row);
    };
    if (pages.row(target) !== undefined) take();
    else void pages.want(Math.max(0, target - store.seen.rows), 2 * store.seen.rows).then(take);
  };

  const fold = (row: Row | undefined, open: boolean): boolean => {
    if (row?.run === undefined || row.run.count > 1 !== open) return false;
    store.turn(row.run.first, open);
    announce(say(open ? "unfold" : "foldAgain"));
    return true;
  };

  const keys = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const here = cursor();
    const page = Math.max(1, store.seen.rows - 2);
    const row = here < 0 ? undefined : pages?.row(here);
    const moves: Record<string, () => void> = {
      ArrowDown: () => goTo(here + 1),
      ArrowUp: () => goTo(here - 1),
      PageDown: () => goTo(here + page),
      PageUp: () => goTo(here - page),
      Home: () => goTo(0),
      End: () => goTo(total - 1),
      ArrowRight: () => fold(row, true),
      ArrowLeft: () => fold(row, false),
      Enter: () => {
        if (row !== undefined && !fold(row, true)) onOpen();
      },
      a: () => row !== undefined && marked("a", row.id),
      b: () => row !== undefined && marked("b", row.id),
      Escape: () => {
        store.compare("", "");
        announce(say("clearMarks"));
      },
    };
    const move = moves[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (move === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  };
  const marked = (which: "a" | "b", id: string) => {
    store.mark(which, id);
    announce(`${id} ${say(which === "a" ? "markA" : "markB")}`);
  };

  const clicked = (event: MouseEvent) => {
    const target = event.target as HTMLElement;
    const option = target.closest<HTMLElement>("[role=option]");
    if (option === null || pages === undefined) return;
    const place = Number(option.dataset.place);
    const row = pages.row(place);
    if (row === undefined) return;
    stood.current = place;
    waiting.current = -1;
    const action = target.closest<HTMLElement>("[data-act]")?.dataset.act;
    if (action === "fold" && row.run !== undefined) fold(row, row.run.count > 1);
    else if (action === "from" && row.from !== undefined) void store.go(row.from);
    else store.select(row);
  };

  // read, so that rows that come are drawn
  store.came.value;
  const active = store.selected.value;
  const chunks = [];
  for (let chunk = span[0]; chunk <= span[1] && chunk * CHUNK < total; chunk++) {
    const first = chunk * CHUNK;
    const count = Math.min(CHUNK, total - first);
    const has = pages?.has(first, count) ?? false;
    const rows = Array.from({ length: count }, (_, place) => pages?.row(first + place));
    const among = (id: string) => (rows.some((row) => row?.id === id) ? id : "");
    chunks.push(
      <Chunk
        key={chunk}
        pages={pages}
        first={first}
        count={count}
        has={has}
        selected={among(active)}
        a={among(store.a.value)}
        b={among(store.b.value)}
        faults={store.faults.value}
        scale={scale}
        now={now}
        name={name}
        total={total}
        say={say}
        language={language}
      />,
    );
  }
  const seen =
    chunks.length > 0 &&
    Array.from(
      { length: (span[1] - span[0] + 1) * CHUNK },
      (_, place) => pages?.row(span[0] * CHUNK + place)?.id,
    ).includes(active);
  return (
    <div
      class={`lk-history-list ${narrow ? "lk-history-dense" : ""}`}
      role="listbox"
      aria-label={say("list")}
      aria-description={say("keys")}
      aria-activedescendant={seen ? `${name}-${active}` : undefined}
      aria-busy={store.busy.value}
      tabIndex={0}
      ref={box}
      onKeyDown={keys}
      onClick={clicked}
      data-testid="history-list"
      data-rows={total}
    >
      <div role="none" class="lk-history-rows" style={{ height: `${total * rowHeight}px` }}>
        {chunks}
      </div>
    </div>
  );
}
