// The units of a chapter as a reader meets them: their order, which lie open together, where they are in a strip.
import type { Leaf, Point, Rect, Sheet } from "../viewer/sheet.ts";

export interface UnitFacts {
  unit: string;
  title: string;
  kind: string;
  /** equal keys are equal pictures */
  key: string;
  /** trim, in millimetres */
  width: number;
  height: number;
  /** whether it is two pages wide */
  spread: boolean;
}

export type Direction = "ltr" | "rtl" | "ttb";
export type Binding = "left" | "right" | "top";

export interface Book {
  chapter: string;
  revision: string;
  /** the newest revision of the work */
  head: string;
  direction: Direction;
  binding: Binding;
  units: UnitFacts[];
}

/** What lies open at one time: two pages, one of them perhaps blank, or one thing by itself. */
export interface Opening {
  first: UnitFacts | null;
  second: UnitFacts | null;
  alone: boolean;
}

/** Pages in pairs as they are bound: a cover and a spread lie alone, the page after a cover begins on the far side. */
export function openings(units: readonly UnitFacts[]): Opening[] {
  const found: Opening[] = [];
  let waiting: UnitFacts | null = null;
  let side: "first" | "second" = "second";
  const flush = () => {
    if (waiting !== null) found.push({ first: waiting, second: null, alone: false });
    waiting = null;
  };
  for (const unit of units) {
    const whole = unit.spread || unit.kind === "cover";
    if (whole) {
      flush();
      found.push({ first: unit, second: null, alone: true });
      side = unit.spread ? "first" : "second";
    } else if (side === "first") {
      waiting = unit;
      side = "second";
    } else {
      found.push({ first: waiting, second: unit, alone: false });
      waiting = null;
      side = "first";
    }
  }
  flush();
  return found;
}

export function unitsOf(opening: Opening): UnitFacts[] {
  return [opening.first, opening.second].filter((unit) => unit !== null);
}

/** The opening that holds a unit. */
export function openingOf(all: readonly Opening[], unit: string): number {
  return Math.max(
    0,
    all.findIndex((opening) => unitsOf(opening).some((item) => item.unit === unit)),
  );
}

/** The leaves of an opening, side by side as bound; at the spine each page ends at its trim. */
export function laid(opening: Opening, binding: Binding, sheets: ReadonlyMap<string, Sheet>): Leaf[] {
  const { first, second, alone } = opening;
  const leaf = (unit: UnitFacts, at: Point, cut: "left" | "right" | "top" | "bottom" | ""): Leaf => {
    const sheet = sheets.get(unit.unit) ?? null;
    const [x, y, width, height]: Rect = sheet?.area ?? [0, 0, unit.width, unit.height];
    const left = cut === "left" ? 0 : x;
    const top = cut === "top" ? 0 : y;
    const right = cut === "right" ? unit.width : x + width;
    const bottom = cut === "bottom" ? unit.height : y + height;
    return { sheet, unit: unit.unit, at, area: [left, top, right - left, bottom - top] };
  };
  if (alone) return first ? [leaf(first, [0, 0], "")] : [];
  const pages: Leaf[] = [];
  if (binding === "top") {
    if (first) pages.push(leaf(first, [0, -first.height], "bottom"));
    if (second) pages.push(leaf(second, [0, 0], "top"));
  } else {
    const [left, right] = binding === "right" ? [second, first] : [first, second];
    if (left) pages.push(leaf(left, [-left.width, 0], "right"));
    if (right) pages.push(leaf(right, [0, 0], "left"));
  }
  return pages;
}

/** A unit's place in a strip, in millimetres. */
export interface Slot {
  unit: UnitFacts;
  top: number;
}

const GAP = 8;

/** All units one below the other; what reads from the top down has no gaps. */
export function stacked(
  units: readonly UnitFacts[],
  direction: Direction,
): { slots: Slot[]; width: number; height: number } {
  const gap = direction === "ttb" ? 0 : GAP;
  let top = 0;
  const slots = units.map((unit) => {
    const slot = { unit, top };
    top += unit.height + gap;
    return slot;
  });
  return {
    slots,
    width: Math.max(1, ...units.map(({ width }) => width)),
    height: Math.max(1, top - gap),
  };
}

/** The slots that a stretch of the strip meets. */
export function slotsWithin(slots: readonly Slot[], from: number, to: number): Slot[] {
  let low = 0;
  let high = slots.length;
  while (low < high) {
    const half = (low + high) >> 1;
    const slot = slots[half] as Slot;
    if (slot.top + slot.unit.height < from) low = half + 1;
    else high = half;
  }
  const found: Slot[] = [];
  for (let at = low; at < slots.length && (slots[at] as Slot).top <= to; at++) found.push(slots[at] as Slot);
  return found;
}

/** Where to look when a unit is gone: what is at its place now, or the last. */
export function instead(before: readonly UnitFacts[], now: readonly UnitFacts[], unit: string): string {
  if (now.some((item) => item.unit === unit)) return unit;
  const place = Math.max(
    0,
    before.findIndex((item) => item.unit === unit),
  );
  return now[Math.min(place, now.length - 1)]?.unit ?? "";
}
