// What a viewer shows: a unit at one source, as the kernel describes it, and what is marked on it. Lengths in millimetres.

export type Point = readonly [x: number, y: number];
/** x, y, width, height */
export type Rect = readonly [x: number, y: number, width: number, height: number];

export interface Level {
  /** pixels of a millimetre */
  scale: number;
  width: number;
  height: number;
}

/** An object on a unit. */
export interface Thing {
  id: string;
  handle: string;
  kind: string;
  /** what people call it */
  name: string;
  outline: Point[];
  box: Rect;
  parent: string;
  /** why agents are kept from it; "" when they are not */
  locked: string;
}

/** One unit at one source: equal keys are equal pixels, whatever the revision. */
export interface Sheet {
  key: string;
  source: string;
  revision: string;
  unit: string;
  title: string;
  kind: string;
  /** what is drawn, bleed included */
  area: Rect;
  trim: Rect;
  safe: Rect[];
  surfaces: { id: string; rect: Rect }[];
  gutter: Rect | null;
  /** edge of a tile in pixels */
  tile: number;
  /** coarse to fine */
  levels: Level[];
  /** in drawing order */
  objects: Thing[];
  /** frames in reading order */
  reading: string[];
  /** pictures whose bytes are not there */
  missing: string[];
}

/** A sheet's place among others in one view; without a sheet, blank paper of that area. */
export interface Leaf {
  sheet: Sheet | null;
  /** whose place it is, before its sheet is there */
  unit?: string;
  /** where the sheet's own origin lies */
  at: Point;
  area: Rect;
}

/** The ways to compare two sheets, in the order in which they are offered. */
export const COMPARISONS = ["side", "swipe", "blink", "onion", "difference"] as const;
export type Comparison = (typeof COMPARISONS)[number];
export type Mode = "single" | Comparison;

export interface Overlays {
  outlines: boolean;
  reading: boolean;
  guides: boolean;
}

export type Tone = "add" | "change" | "remove" | "conflict" | "note" | "lost";

/** Something said about a place: a pin, or the outline of what is meant with a tag at its corner. */
export interface Mark {
  id: string;
  kind: "pin" | "box";
  tone: Tone;
  /** said by the tag's name */
  label: string;
  /** of a pin */
  at?: Point;
  /** of a box */
  outline?: Point[];
  /** short text on the tag; a sign of its tone when left out */
  text?: string;
  /** on which sheet: that of this unit, where several are shown */
  unit?: string;
  /** comparing: on the sheet, on what it is compared with, or on both */
  on?: "sheet" | "against" | "both";
  onClick?: () => void;
}

export function leafOf(sheet: Sheet): Leaf {
  return { sheet, at: [0, 0], area: sheet.area };
}

export function moved([x, y, width, height]: Rect, [dx, dy]: Point): Rect {
  return [x + dx, y + dy, width, height];
}

/** The smallest rectangle round some. */
export function around(rects: readonly Rect[]): Rect {
  if (rects.length === 0) return [0, 0, 1, 1];
  const left = Math.min(...rects.map((rect) => rect[0]));
  const top = Math.min(...rects.map((rect) => rect[1]));
  const right = Math.max(...rects.map((rect) => rect[0] + rect[2]));
  const bottom = Math.max(...rects.map((rect) => rect[1] + rect[3]));
  return [left, top, right - left, bottom - top];
}

/** The box round an outline. */
export function boxOf(outline: readonly Point[]): Rect {
  return around(outline.map(([x, y]) => [x, y, 0, 0] as const));
}

export function middle([x, y, width, height]: Rect): Point {
  return [x + width / 2, y + height / 2];
}

export function meets(one: Rect, other: Rect): boolean {
  return (
    one[0] < other[0] + other[2] &&
    other[0] < one[0] + one[2] &&
    one[1] < other[1] + other[3] &&
    other[1] < one[1] + one[3]
  );
}

export function holds([x, y, width, height]: Rect, [px, py]: Point): boolean {
  return px >= x && px <= x + width && py >= y && py <= y + height;
}
