// A small page for tests.
import type { Point, Rect, Sheet, Thing } from "./sheet.ts";

export function thing(id: string, kind: string, box: Rect, parent = "su"): Thing {
  const [x, y, width, height] = box;
  const outline: Point[] = [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
  return { id, handle: `${id}#1`, kind, name: id, outline, box, parent, locked: "" };
}

export function sheet(objects: Thing[] = [], reading: string[] = []): Sheet {
  const level = (scale: number) => ({ scale, width: Math.ceil(100 * scale), height: Math.ceil(150 * scale) });
  return {
    key: "k1",
    source: "head",
    revision: "r1",
    unit: "un_1",
    title: "Page 1",
    kind: "page",
    area: [0, 0, 100, 150],
    trim: [0, 0, 100, 150],
    safe: [[5, 5, 90, 140]],
    surfaces: [{ id: "su", rect: [0, 0, 100, 150] }],
    gutter: null,
    tile: 512,
    levels: [level(3), level(6), level(12), level(24)],
    objects,
    reading,
    missing: [],
  };
}
