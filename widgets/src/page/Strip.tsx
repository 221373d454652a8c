// All units one below the other, scrolled as a page is; one canvas draws what is in sight.
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useSay } from "../shell.tsx";
import { Zoom } from "../viewer/Controls.tsx";
import type { Leaf, Sheet } from "../viewer/sheet.ts";
import { Viewer, type ViewerProps } from "../viewer/Viewer.tsx";
import type { Viewport } from "../viewer/viewport.ts";
import { type Book, type Slot, slotsWithin, stacked } from "./book.ts";
import { WORDS } from "./words.ts";

const MOST_WIDTH = 820;
const EDGE = 8;

interface Props {
  book: Book;
  sheets: ReadonlyMap<string, Sheet>;
  current: string;
  /** These units are in sight, or soon. */
  onSight: (units: string[]) => void;
  /** One looks at this unit now. */
  onReach: (unit: string) => void;
  viewer: Omit<ViewerProps, "sheet" | "leaves" | "held">;
}

interface Seat {
  width: number;
  height: number;
  left: number;
  top: number;
}

export function Strip({ book, sheets, current, onSight, onReach, viewer }: Props) {
  const say = useSay(WORDS);
  const { handle, ...looks } = viewer;
  const box = useRef<HTMLElement>(null);
  const [seat, setSeat] = useState<Seat>({ width: 0, height: 0, left: 0, top: 0 });
  const [zoom, setZoom] = useState(1);
  const all = useMemo(() => stacked(book.units, book.direction), [book.units, book.direction]);
  const scale = Math.max(0.05, ((Math.min(seat.width, MOST_WIDTH) - 2 * EDGE) / all.width) * zoom);
  const width = Math.max(seat.width, all.width * scale + 2 * EDGE);
  const height = Math.max(seat.height, all.height * scale + 2 * EDGE);
  const meter = useRef<((scale: number) => void) | null>(null);
  const reached = useRef("");
  /** Where the last jump ended: as long as nobody scrolls from there, what was jumped to is what one looks at. */
  const landed = useRef(-1);

  const look = useCallback(() => {
    const frame = box.current;
    if (!frame) return;
    setSeat({ width: frame.clientWidth, height: frame.clientHeight, left: frame.scrollLeft, top: frame.scrollTop });
  }, []);
  useLayoutEffect(() => {
    const frame = box.current;
    if (!frame) return;
    look();
    const watcher = new ResizeObserver(look);
    watcher.observe(frame);
    return () => watcher.disconnect();
  }, [look]);

  const held: Viewport = {
    x: (seat.left + seat.width / 2 - width / 2) / scale,
    y: (seat.top + seat.height / 2 - EDGE) / scale,
    scale,
  };
  const from = (seat.top - EDGE) / scale;
  const tall = seat.height / scale;
  const near = slotsWithin(all.slots, from - tall / 2, from + tall * 1.5);
  const names = near.map(({ unit }) => unit.unit).join();
  const leaves = useMemo<Leaf[]>(
    () =>
      near.map(({ unit, top }: Slot) => {
        const sheet = sheets.get(unit.unit) ?? null;
        const area = sheet?.trim ?? ([0, 0, unit.width, unit.height] as const);
        return { sheet, at: [-area[0] - area[2] / 2, top - area[1]], area };
      }),
    [names, sheets, all],
  );
  useEffect(() => {
    if (names !== "" && seat.height > 0) onSight(names.split(","));
  }, [names, seat.height > 0, onSight, book]);

  // where one looks follows the scrolling, and the scrolling what is chosen elsewhere
  const middle = slotsWithin(all.slots, from + tall * 0.4, from + tall * 0.4)[0]?.unit.unit;
  useEffect(() => {
    if (middle === undefined || middle === current || seat.height === 0 || reached.current !== current) return;
    if (seat.top === landed.current || seat.top !== box.current?.scrollTop) return;
    reached.current = middle;
    onReach(middle);
  }, [middle, seat]);
  useLayoutEffect(() => {
    if (seat.height === 0 || reached.current === current) return;
    const slot = all.slots.find(({ unit }) => unit.unit === current);
    if (!slot || !box.current) return;
    box.current.scrollTop = slot.top * scale + EDGE - 4;
    landed.current = box.current.scrollTop;
    reached.current = current;
    look();
  }, [current, all, seat.height > 0]);

  // what is in the middle stays there when the scale changes, or pages before it come and go
  const anchor = useRef<{ all: typeof all; scale: number } | undefined>(undefined);
  useLayoutEffect(() => {
    if (!box.current || seat.height === 0) return;
    const before = anchor.current;
    anchor.current = { all, scale };
    if (before === undefined || (before.all === all && before.scale === scale)) return;
    const topIn = (where: typeof all) => where.slots.find(({ unit }) => unit.unit === reached.current)?.top;
    const [was, is] = [topIn(before.all), topIn(all)];
    if (was === undefined || is === undefined) return;
    const inside = (seat.top + seat.height / 2 - EDGE) / before.scale - was;
    const across = (seat.left + seat.width / 2) / Math.max(seat.width, all.width * before.scale + 2 * EDGE);
    box.current.scrollTop = (is + inside) * scale + EDGE - seat.height / 2;
    box.current.scrollLeft = across * width - seat.width / 2;
    landed.current = box.current.scrollTop;
    look();
  }, [all, scale, seat.height > 0]);

  useLayoutEffect(() => {
    if (!handle) return;
    handle.current = {
      flyTo(rect, unit) {
        const slot = all.slots.find((item) => item.unit.unit === unit);
        if (!slot || !box.current) return;
        const middleOf = slot.top + rect[1] + rect[3] / 2;
        const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        box.current.scrollTo({
          top: middleOf * scale + EDGE - box.current.clientHeight / 2,
          behavior: calm ? "auto" : "smooth",
        });
      },
      fit: () => setZoom(1),
      zoomBy,
      view: () => held,
    };
    return () => {
      handle.current = null;
    };
  });

  const zoomBy = (factor: number) => setZoom(Math.min(8, Math.max(0.25, zoom * factor)));
  const keys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") zoomBy(1.25);
    else if (event.key === "-" || event.key === "_") zoomBy(0.8);
    else if (event.key === "0") setZoom(1);
    else return;
    event.preventDefault();
  };
  return (
    <div class="lk-page-strip-frame">
      <section
        class="lk-page-strip"
        ref={box}
        aria-label={say("continuous")}
        data-testid="page-strip"
        onScroll={look}
        onKeyDown={keys}
      >
        <div style={{ width: `${width}px`, height: `${height}px` }}>
          <div class="lk-page-strip-window" style={{ width: `${seat.width}px`, height: `${seat.height}px` }}>
            {seat.height > 0 && <Viewer {...looks} leaves={leaves} held={held} onZoom={zoomBy} />}
          </div>
        </div>
      </section>
      <Zoom meter={meter} scale={scale} onBy={zoomBy} onWhole={() => setZoom(1)} />
    </div>
  );
}
