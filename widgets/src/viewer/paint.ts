// Drawing a sheet from the tiles that are there, through a lens from millimetres to device pixels.
import type { Leaf, Level, Rect, Sheet } from "./sheet.ts";
import { levelFor, type Spot, spotsWithin, tileId, tileStore } from "./tiles.ts";

/** device pixel = origin + millimetre · k */
export interface Lens {
  k: number;
  ox: number;
  oy: number;
}

export type Brush = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

export function shifted(lens: Lens, leaf: Leaf): Lens {
  return { k: lens.k, ox: lens.ox + leaf.at[0] * lens.k, oy: lens.oy + leaf.at[1] * lens.k };
}

/** A rectangle of millimetres in whole device pixels. */
export function onScreen(lens: Lens, [x, y, width, height]: Rect): Rect {
  const left = Math.round(lens.ox + x * lens.k);
  const top = Math.round(lens.oy + y * lens.k);
  const right = Math.round(lens.ox + (x + width) * lens.k);
  const bottom = Math.round(lens.oy + (y + height) * lens.k);
  return [left, top, right - left, bottom - top];
}

function spotsSeen(sheet: Sheet, level: number, lens: Lens, clip: Rect): Spot[] {
  const grid = sheet.levels[level];
  if (grid === undefined) return [];
  const [x, y] = sheet.area;
  const factor = grid.scale / lens.k;
  return spotsWithin(sheet, level, [
    ((clip[0] - lens.ox) / lens.k - x) * grid.scale,
    ((clip[1] - lens.oy) / lens.k - y) * grid.scale,
    clip[2] * factor,
    clip[3] * factor,
  ]);
}

/** What has to be fetched to show a part of a sheet well: first something to see at all, then what is sharp. */
export function missing(sheet: Sheet, lens: Lens, clip: Rect): Spot[] {
  const level = levelFor(sheet.levels, lens.k);
  const seen = spotsSeen(sheet, level, lens, clip);
  const absent = seen.filter((spot) => !tileStore().has(tileId(sheet.key, spot)));
  if (absent.length === 0 || level === 0) return absent;
  const first = spotsSeen(sheet, 0, lens, clip).filter((spot) => !tileStore().has(tileId(sheet.key, spot)));
  return [...first, ...absent];
}

/** Draw what is there of a sheet; gives what is missing. */
export function paintSheet(brush: Brush, sheet: Sheet, lens: Lens, clip: Rect): Spot[] {
  const level = levelFor(sheet.levels, lens.k);
  const absent = missing(sheet, lens, clip);
  if (absent.length > 0) {
    // coarse under fine, and of what is finer than needed only what is there by chance
    for (let other = 0; other < level; other++) paintLevel(brush, sheet, other, lens, clip);
    if (level + 1 < sheet.levels.length) paintLevel(brush, sheet, level + 1, lens, clip);
  }
  paintLevel(brush, sheet, level, lens, clip);
  return absent;
}

function paintLevel(brush: Brush, sheet: Sheet, level: number, lens: Lens, clip: Rect): void {
  const grid = sheet.levels[level] as Level;
  for (const spot of spotsSeen(sheet, level, lens, clip)) {
    const tile = tileStore().get(tileId(sheet.key, spot));
    if (tile === undefined) continue;
    const rect = onScreen(lens, tileRect(sheet, grid, spot, tile.image.width, tile.image.height));
    if (tile.clear) {
      brush.fillStyle = "#fff";
      brush.fillRect(...rect);
    }
    brush.drawImage(tile.image, ...rect);
  }
}

function tileRect(sheet: Sheet, grid: Level, [, column, row]: Spot, width: number, height: number): Rect {
  const x = sheet.area[0] + (column * sheet.tile) / grid.scale;
  const y = sheet.area[1] + (row * sheet.tile) / grid.scale;
  return [x, y, width / grid.scale, height / grid.scale];
}

/** White paper, before any picture of it is there. */
export function paintPaper(brush: Brush, area: Rect, lens: Lens): void {
  brush.fillStyle = "#fff";
  brush.fillRect(...onScreen(lens, area));
}

/** A drawing surface beside the screen. */
export function scratch(width: number, height: number): OffscreenCanvasRenderingContext2D {
  const brush = new OffscreenCanvas(Math.max(1, width), Math.max(1, height)).getContext("2d", {
    willReadFrequently: true,
  });
  if (brush === null) throw new Error("this browser cannot draw");
  return brush;
}
