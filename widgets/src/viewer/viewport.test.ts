import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rect } from "./sheet.ts";
import * as port from "./viewport.ts";

const PAGE: Rect = [-3, -3, 216, 303];
const SIZE = { width: 800, height: 600 };
const BOUNDS: port.Bounds = { area: PAGE, size: SIZE, most: 40 };
const near = (one: number, other: number) => assert.ok(Math.abs(one - other) < 1e-6, `${one} is not ${other}`);

test("millimetres to pixels and back is the same place", () => {
  const view = { x: 50, y: 70, scale: 3.7 };
  const [x, y] = port.toMm(view, SIZE, port.toPx(view, SIZE, [12.5, 200]));
  near(x, 12.5);
  near(y, 200);
});

test("fitting shows the whole area in the middle with its margin", () => {
  const view = port.fit(PAGE, SIZE);
  near(view.x, 105);
  near(view.y, 148.5);
  near(view.scale, (600 - 24) / 303);
});

test("zooming keeps what is under the pointer where it is", () => {
  const view = port.fit(PAGE, SIZE);
  const before = port.toMm(view, SIZE, [130, 440]);
  const after = port.toMm(port.zoomAt(view, SIZE, [130, 440], 2.5), SIZE, [130, 440]);
  near(before[0], after[0]);
  near(before[1], after[1]);
});

test("panning moves the paper with the hand", () => {
  const view = { x: 50, y: 70, scale: 4 };
  const [px, py] = port.toPx(view, SIZE, [60, 60]);
  const [qx, qy] = port.toPx(port.pan(view, 33, -8), SIZE, [60, 60]);
  near(qx - px, 33);
  near(qy - py, -8);
});

test("nobody looks beside the paper, nor from farther than the whole, nor nearer than the most", () => {
  const far = port.clamp({ x: 900, y: -900, scale: 0.01 }, BOUNDS);
  assert.deepEqual(far, port.fit(PAGE, SIZE));
  assert.equal(port.clamp({ x: 100, y: 100, scale: 4_000 }, BOUNDS).scale, 40);
  const corner = port.clamp({ x: -500, y: -500, scale: 20 }, BOUNDS);
  const [x, y] = port.toMm(corner, SIZE, [0, 0]);
  near(x, -3 - 12 / 20);
  near(y, -3 - 12 / 20);
});

test("paper smaller than the most zoom still fits", () => {
  const tiny: port.Bounds = { area: [0, 0, 5, 5], size: SIZE, most: 2 };
  assert.deepEqual(port.clamp({ x: 1, y: 1, scale: 1 }, tiny), port.fit([0, 0, 5, 5], SIZE));
});

test("flying onto a thing shows all of it with something around", () => {
  const view = port.onto([100, 200, 20, 10], BOUNDS);
  const [x, y, width, height] = port.seen(view, SIZE);
  assert.ok(x < 100 && y < 200 && x + width > 120 && y + height > 210);
  assert.ok(width < 120);
});

test("a flight begins at its start and ends at its end", () => {
  const from = { x: 10, y: 20, scale: 2 };
  const to = { x: 100, y: 5, scale: 16 };
  const start = port.between(from, to, 0);
  near(start.x, 10);
  near(start.scale, 2);
  assert.deepEqual(port.between(from, to, 1), to);
  const half = port.between(from, to, 0.5);
  near(half.scale, Math.sqrt(32));
  const level = port.between(from, { ...from, x: 50 }, 0.5);
  near(level.x, 30);
});

test("views are alike when no pixel moves", () => {
  assert.ok(port.alike({ x: 1, y: 1, scale: 3 }, { x: 1.01, y: 1, scale: 3 }));
  assert.ok(!port.alike({ x: 1, y: 1, scale: 3 }, { x: 2, y: 1, scale: 3 }));
});
