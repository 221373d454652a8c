// Where one looks: pure arithmetic between millimetres of the paper and pixels of the screen.
import type { Point, Rect } from "./sheet.ts";

/** The millimetre in the middle of the pane, and how many CSS pixels one has. */
export interface Viewport {
  x: number;
  y: number;
  scale: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Bounds {
  area: Rect;
  size: Size;
  /** largest scale */
  most: number;
}

const MARGIN = 12;

export function toMm(view: Viewport, size: Size, [px, py]: Point): Point {
  return [view.x + (px - size.width / 2) / view.scale, view.y + (py - size.height / 2) / view.scale];
}

export function toPx(view: Viewport, size: Size, [x, y]: Point): Point {
  return [(x - view.x) * view.scale + size.width / 2, (y - view.y) * view.scale + size.height / 2];
}

/** What of the paper is seen. */
export function seen(view: Viewport, size: Size): Rect {
  const [x, y] = toMm(view, size, [0, 0]);
  return [x, y, size.width / view.scale, size.height / view.scale];
}

/** The whole of an area in the middle, with a margin in pixels. */
export function fit(area: Rect, size: Size, margin: number = MARGIN): Viewport {
  const [x, y, width, height] = area;
  const room = (edge: number) => Math.max(1, edge - 2 * margin);
  const scale = Math.min(room(size.width) / Math.max(width, 0.01), room(size.height) / Math.max(height, 0.01));
  return { x: x + width / 2, y: y + height / 2, scale };
}

/** No smaller than the whole, no larger than the most, and never beside the paper. */
export function clamp(view: Viewport, { area, size, most }: Bounds): Viewport {
  const whole = fit(area, size);
  const scale = Math.min(Math.max(view.scale, whole.scale), Math.max(most, whole.scale));
  const held = (middle: number, start: number, length: number, pixels: number) => {
    const half = pixels / 2 / scale;
    const slack = MARGIN / scale;
    const low = start - slack + half;
    const high = start + length + slack - half;
    return low > high ? start + length / 2 : Math.min(Math.max(middle, low), high);
  };
  return {
    x: held(view.x, area[0], area[2], size.width),
    y: held(view.y, area[1], area[3], size.height),
    scale,
  };
}

/** Zoom by a factor so that what is under a pixel stays there. */
export function zoomAt(view: Viewport, size: Size, pixel: Point, factor: number): Viewport {
  const [x, y] = toMm(view, size, pixel);
  const scale = view.scale * factor;
  return { x: x - (pixel[0] - size.width / 2) / scale, y: y - (pixel[1] - size.height / 2) / scale, scale };
}

/** Move by pixels: what was at a pixel is then dx, dy beside it. */
export function pan(view: Viewport, dx: number, dy: number): Viewport {
  return { ...view, x: view.x - dx / view.scale, y: view.y - dy / view.scale };
}

/** A view in which a rectangle is seen well: with some of what is around it. */
export function onto(rect: Rect, bounds: Bounds): Viewport {
  const [x, y, width, height] = rect;
  const near = Math.max(width, height, 8) * 0.35;
  return clamp(fit([x - near, y - near, width + 2 * near, height + 2 * near], bounds.size, 0), bounds);
}

/** On the way from one view to another, at a share of the time: a straight way on the screen, slow at both ends. */
export function between(from: Viewport, to: Viewport, share: number): Viewport {
  if (share >= 1) return to;
  const eased = share < 0.5 ? 2 * share * share : 1 - (2 - 2 * share) ** 2 / 2;
  const scale = Math.exp(Math.log(from.scale) * (1 - eased) + Math.log(to.scale) * eased);
  const spread = 1 / to.scale - 1 / from.scale;
  const gone = Math.abs(spread) < 1e-9 ? eased : (1 / scale - 1 / from.scale) / spread;
  return { x: from.x + (to.x - from.x) * gone, y: from.y + (to.y - from.y) * gone, scale };
}

/** Whether two views are the same to the eye. */
export function alike(one: Viewport, other: Viewport): boolean {
  const near = 0.25 / Math.max(one.scale, other.scale);
  return (
    Math.abs(one.scale / other.scale - 1) < 0.001 &&
    Math.abs(one.x - other.x) < near &&
    Math.abs(one.y - other.y) < near
  );
}
