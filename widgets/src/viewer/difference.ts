// What changed between two sheets: changed pixels in a strong colour, made tile by tile and kept like any other tile.
import { type Brush, type Lens, missing, onScreen, paintPaper, paintSheet, scratch } from "./paint.ts";
import { around, type Rect, type Sheet } from "./sheet.ts";
import { levelFor, tileId, tileStore } from "./tiles.ts";

const EDGE = 512;
/** Of 255, in any channel: below it lies what compression does to equal pictures. */
const NOTICEABLE = 24;
export const STRONG = [214, 0, 108] as const;

/** Mark the pixels that differ noticeably; gives how many. All three are RGBA of the same size. */
export function markChanges(one: Uint8ClampedArray, other: Uint8ClampedArray, out: Uint8ClampedArray): number {
  let found = 0;
  for (let at = 0; at < out.length; at += 4) {
    const red = Math.abs((one[at] as number) - (other[at] as number));
    const green = Math.abs((one[at + 1] as number) - (other[at + 1] as number));
    const blue = Math.abs((one[at + 2] as number) - (other[at + 2] as number));
    if (red < NOTICEABLE && green < NOTICEABLE && blue < NOTICEABLE) continue;
    found++;
    out[at] = STRONG[0];
    out[at + 1] = STRONG[1];
    out[at + 2] = STRONG[2];
    out[at + 3] = 255;
  }
  return found;
}

/**
 * Draw the marks of what changed in the part that is seen. Few new ones are made at once, so that the view stays quick.
 * Gives whether more are to be made as soon as there is time.
 */
export function paintDifference(brush: Brush, sheet: Sheet, against: Sheet, lens: Lens, clip: Rect): boolean {
  if (sheet.key === against.key) return false;
  const area = around([sheet.area, against.area]);
  const scale = sheet.levels[levelFor(sheet.levels, lens.k)]?.scale ?? lens.k;
  const step = EDGE / scale;
  const grow = Math.max(1, Math.round(lens.k / scale));
  let budget = 3;
  let more = false;
  const first = (edge: number, origin: number, start: number) =>
    Math.max(0, Math.floor(((edge - origin) / lens.k - start) / step));
  const last = (edge: number, origin: number, start: number, length: number) =>
    Math.min(Math.ceil(((edge - origin) / lens.k - start) / step), Math.ceil(length / step)) - 1;
  for (let row = first(clip[1], lens.oy, area[1]); row <= last(clip[1] + clip[3], lens.oy, area[1], area[3]); row++) {
    for (
      let column = first(clip[0], lens.ox, area[0]);
      column <= last(clip[0] + clip[2], lens.ox, area[0], area[2]);
      column++
    ) {
      const id = tileId(`changed:${sheet.key}:${against.key}`, [Math.round(scale * 1000), column, row]);
      let tile = tileStore().get(id);
      if (tile === undefined) {
        const own: Lens = {
          k: scale,
          ox: -(area[0] * scale) - column * EDGE,
          oy: -(area[1] * scale) - row * EDGE,
        };
        const whole: Rect = [0, 0, EDGE, EDGE];
        if (missing(sheet, own, whole).length > 0 || missing(against, own, whole).length > 0) continue;
        if (budget-- <= 0) {
          more = true;
          continue;
        }
        tileStore().put(id, { image: compared(sheet, against, own), clear: true });
        tile = tileStore().get(id);
      }
      if (tile === undefined) continue;
      const rect = onScreen(lens, [area[0] + column * step, area[1] + row * step, step, step]);
      // a changed hair would be lost when seen from afar
      for (const [dx, dy] of [
        [0, 0],
        [grow, 0],
        [-grow, 0],
        [0, grow],
        [0, -grow],
      ] as const) {
        brush.drawImage(tile.image, rect[0] + dx, rect[1] + dy, rect[2], rect[3]);
      }
    }
  }
  return more;
}

function compared(sheet: Sheet, against: Sheet, lens: Lens): ImageBitmap {
  const [one, other] = [sheet, against].map((shown) => {
    const brush = scratch(EDGE, EDGE);
    paintPaper(brush, shown.area, lens);
    paintSheet(brush, shown, lens, [0, 0, EDGE, EDGE]);
    return brush.getImageData(0, 0, EDGE, EDGE).data;
  });
  const marks = new ImageData(EDGE, EDGE);
  markChanges(one as Uint8ClampedArray, other as Uint8ClampedArray, marks.data);
  const brush = scratch(EDGE, EDGE);
  brush.putImageData(marks, 0, 0);
  return brush.canvas.transferToImageBitmap();
}
