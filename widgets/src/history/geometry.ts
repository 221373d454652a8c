// From edges to paths: pure, so that it can be held to its laws.
import type { Edge, Row } from "./shapes.ts";

export interface Scale {
  /** pixels of a row */
  height: number;
  /** lanes left of the trunk */
  left: number;
  /** lanes right of the trunk that are drawn apart; those beyond lie on the last */
  right: number;
}

const STEP = 14;
const SIDE = 12;
/** Lanes right of the trunk that are drawn apart. */
export const LANES = { wide: 10, narrow: 4 } as const;
/** Colours in a row before they come again; see history.css. */
const COLOURS = 7;

/** Pixels that the graph is wide. */
export function widthOf({ left, right }: Scale): number {
  return 2 * SIDE + (left + right) * STEP;
}

/** Where a lane is. */
export function xOf(lane: number, { left, right }: Scale): number {
  return SIDE + (left + Math.max(-left, Math.min(lane, right))) * STEP;
}

/** Where a height is, in a drawing that begins with row `first`: the middle of a row, or the border between two. */
export function yOf(height: number, first: number, scale: Scale): number {
  return (height / 2 - first + 0.5) * scale.height;
}

/** An edge as an SVG path, in a drawing that begins with row `first`. */
export function pathOf(edge: Edge, first: number, scale: Scale): string {
  const [, lane, top, bottom, topLane, bottomLane] = edge;
  const [x, above, below] = [xOf(lane, scale), xOf(topLane, scale), xOf(bottomLane, scale)];
  const [from, to] = [yOf(top, first, scale), yOf(bottom, first, scale)];
  const half = scale.height / 2;
  const bend = (x0: number, y0: number, x1: number, y1: number) => {
    const mid = (y0 + y1) / 2;
    return `C${x0} ${mid} ${x1} ${mid} ${x1} ${y1}`;
  };
  if (bottom - top < 2 && (above !== x || below !== x)) return `M${above} ${from}${bend(above, from, below, to)}`;
  const start = above === x ? `M${x} ${from}` : `M${above} ${from}${bend(above, from, x, from + half)}`;
  return below === x ? `${start}V${to}` : `${start}V${to - half}${bend(x, to - half, below, to)}`;
}

/** The edges that touch some rows. */
export function touching(edges: readonly Edge[], first: number, count: number): Edge[] {
  return edges.filter(([, , top, bottom]) => top < 2 * (first + count) && bottom > 2 * first - 1);
}

/** The number of a lane's colour; 0 is the trunk's, and that of copies. */
export function colourOf(lane: number): number {
  return lane <= 0 ? 0 : ((lane - 1) % COLOURS) + 1;
}

export type Shape = "person" | "agent" | "kit" | "merge" | "back" | "forth" | "pick" | "run" | "damage";

/** What a row's node looks like: never told by colour alone. */
export function shapeOf(row: Pick<Row, "kind" | "cause" | "damage" | "run">, damaged: boolean): Shape {
  if (row.damage !== undefined || damaged) return "damage";
  if (row.run !== undefined && row.run.count > 1) return "run";
  if (row.cause === "apply") return "merge";
  if (row.cause === "undo" || row.cause === "restore") return "back";
  if (row.cause === "redo") return "forth";
  if (row.cause === "pick" || row.cause === "follow" || row.cause === "resolve") return "pick";
  return row.kind;
}
