// All units of a chapter as small pictures, in reading direction; only those in sight exist.
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useSay } from "../shell.tsx";
import type { Book, UnitFacts } from "./book.ts";
import { EDGE, type Thumbs } from "./thumbs.ts";
import { WORDS } from "./words.ts";

const CELL = 96;
const SPARE = 4;
const REST = 90;

interface Props {
  book: Book;
  source: string;
  current: string;
  thumbs: Thumbs;
  onChoose: (unit: string) => void;
}

export function Filmstrip({ book, source, current, thumbs, onChoose }: Props) {
  const say = useSay(WORDS);
  const own = useId();
  const box = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState<readonly [number, number]>([0, 16]);
  const { units } = book;
  const rtl = book.direction === "rtl";
  const at = units.findIndex(({ unit }) => unit === current);
  void thumbs.came.value; // drawn again when pictures come

  const look = () => {
    const strip = box.current;
    if (!strip) return;
    const from = Math.max(0, Math.floor(Math.abs(strip.scrollLeft) / CELL) - SPARE);
    const to = Math.min(units.length, Math.ceil((Math.abs(strip.scrollLeft) + strip.clientWidth) / CELL) + SPARE);
    setRange((before) => (before[0] === from && before[1] === to ? before : [from, to]));
  };
  // the current one in sight, as near to the middle as the strip's ends allow
  useLayoutEffect(() => {
    const strip = box.current;
    if (!strip || at === -1) return;
    const start = at * CELL;
    const seen = Math.abs(strip.scrollLeft);
    if (start < seen || start + CELL > seen + strip.clientWidth) {
      const middle = Math.max(0, start + CELL / 2 - strip.clientWidth / 2);
      strip.scrollLeft = rtl ? -middle : middle;
    }
    look();
  }, [at, units, rtl]);
  useEffect(() => {
    const strip = box.current;
    if (!strip) return;
    const watcher = new ResizeObserver(look);
    watcher.observe(strip);
    return () => watcher.disconnect();
  }, [units]);
  useEffect(() => {
    const soon = setTimeout(() => {
      const wanted = units.slice(...range);
      const near = (unit: UnitFacts) => Math.abs(units.indexOf(unit) - at);
      thumbs.want(
        source,
        wanted.sort((one, other) => near(one) - near(other)),
      );
    }, REST);
    return () => clearTimeout(soon);
  }, [thumbs, source, units, range, at]);

  const keys = (event: KeyboardEvent) => {
    const forward = rtl ? "ArrowLeft" : "ArrowRight";
    const by = { [forward]: 1, [rtl ? "ArrowRight" : "ArrowLeft"]: -1 }[event.key];
    const next = by === undefined ? undefined : units[at + by];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (next) onChoose(next.unit);
  };
  const name = (place: number) => `${own}-${place}`;
  return (
    <div
      class="lk-page-film"
      ref={box}
      dir={rtl ? "rtl" : "ltr"}
      role="listbox"
      tabIndex={0}
      aria-label={say("film")}
      aria-orientation="horizontal"
      aria-activedescendant={at === -1 ? undefined : name(at)}
      data-testid="page-filmstrip"
      onScroll={look}
      onKeyDown={keys}
    >
      <div class="lk-page-film-all" style={{ width: `${units.length * CELL}px` }}>
        {units.slice(...range).map((unit, offset) => {
          const place = range[0] + offset;
          const url = thumbs.url(unit.key);
          const wide = unit.width > unit.height;
          const edge = Math.min(EDGE / 2, CELL - 16);
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys for its options
            // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and says which option is active
            <div
              key={unit.unit}
              id={name(place)}
              role="option"
              aria-selected={place === at}
              aria-setsize={units.length}
              aria-posinset={place + 1}
              aria-label={unit.title}
              class="lk-page-film-cell"
              style={{ insetInlineStart: `${place * CELL}px`, width: `${CELL}px` }}
              data-testid="page-thumb"
              data-unit={unit.unit}
              onClick={() => onChoose(unit.unit)}
            >
              <span
                class="lk-page-film-paper"
                style={{
                  aspectRatio: `${unit.width} / ${unit.height}`,
                  [wide ? "width" : "height"]: `${wide ? CELL - 12 : edge}px`,
                }}
              >
                {url !== undefined && <img src={url} alt="" draggable={false} />}
              </span>
              <span class="lk-page-film-title">{unit.title}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
