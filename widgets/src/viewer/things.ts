// Finding the objects of a sheet: under a point, and one after the other as one reads.
import { holds, middle, type Point, type Sheet, type Thing } from "./sheet.ts";

/** Whether a point lies in an outline (even-odd). */
export function inside(outline: readonly Point[], [x, y]: Point): boolean {
  let within = false;
  let before = outline.at(-1);
  for (const corner of outline) {
    if (before !== undefined) {
      const [ax, ay] = before;
      const [bx, by] = corner;
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) within = !within;
    }
    before = corner;
  }
  return within;
}

/** The objects under a point, the topmost first. What lies in a frame counts only inside of that frame. */
export function under(sheet: Sheet, point: Point): Thing[] {
  const frames = new Map(sheet.objects.filter((thing) => thing.kind === "frame").map((thing) => [thing.id, thing]));
  return sheet.objects
    .filter((thing) => {
      if (!holds(thing.box, point) || !inside(thing.outline, point)) return false;
      const frame = thing.kind === "image" || thing.kind === "effect" ? frames.get(thing.parent) : undefined;
      return frame === undefined || inside(frame.outline, point);
    })
    .reverse();
}

/** The next object under a point: the topmost, or the one below what is selected there already. */
export function pick(sheet: Sheet, point: Point, selected: string | undefined): Thing | undefined {
  const found = under(sheet, point);
  const at = found.findIndex((thing) => thing.id === selected);
  return found[(at + 1) % Math.max(1, found.length)];
}

/** All objects as one reads: each frame, what lies in it or over it, the next frame; then what is left. */
export function inReadingOrder(sheet: Sheet): Thing[] {
  const byId = new Map(sheet.objects.map((thing) => [thing.id, thing]));
  const frames = sheet.reading.map((id) => byId.get(id)).filter((thing) => thing !== undefined);
  const home = new Map<string, string>();
  for (const thing of sheet.objects) {
    if (frames.includes(thing)) continue;
    let place = thing;
    for (let hops = 0; hops < 8 && byId.has(place.parent) && !frames.includes(place); hops++) {
      place = byId.get(place.parent) as Thing;
    }
    const owner = frames.includes(place)
      ? place
      : frames.find((frame) => holds(frame.box, middle(thing.box)) && inside(frame.outline, middle(thing.box)));
    if (owner !== undefined) home.set(thing.id, owner.id);
  }
  const rest = sheet.objects.filter((thing) => !frames.includes(thing) && !home.has(thing.id));
  const read = frames.flatMap((frame) => [frame, ...sheet.objects.filter((thing) => home.get(thing.id) === frame.id)]);
  return [...read, ...rest];
}
