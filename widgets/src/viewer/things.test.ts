import assert from "node:assert/strict";
import { test } from "node:test";
import { sheet, thing } from "./sample.ts";
import { inReadingOrder, inside, pick, under } from "./things.ts";

const PAGE = sheet(
  [
    thing("right", "frame", [50, 0, 50, 70]),
    thing("picture", "image", [40, -10, 80, 100], "right"),
    thing("left", "frame", [0, 0, 48, 70]),
    thing("free", "overlay", [0, 80, 100, 60]),
    thing("hello", "balloon", [60, 10, 20, 10]),
  ],
  ["left", "right"],
);
const names = (things: { id: string }[]) => things.map(({ id }) => id);

test("a point in a dent of an outline is outside", () => {
  const dented = [
    [0, 0],
    [10, 0],
    [10, 10],
    [5, 3],
    [0, 10],
  ] as const;
  assert.ok(inside(dented, [1, 5]));
  assert.ok(!inside(dented, [5, 8]));
  assert.ok(!inside(dented, [11, 1]));
});

test("what was drawn last is found first", () => {
  assert.deepEqual(names(under(PAGE, [65, 15])), ["hello", "picture", "right"]);
});

test("a picture counts only where its frame shows it", () => {
  assert.deepEqual(names(under(PAGE, [45, 15])), ["left"]);
});

test("choosing again at the same place goes to what lies below, and round", () => {
  assert.equal(pick(PAGE, [65, 15], undefined)?.id, "hello");
  assert.equal(pick(PAGE, [65, 15], "hello")?.id, "picture");
  assert.equal(pick(PAGE, [65, 15], "right")?.id, "hello");
  assert.equal(pick(PAGE, [65, 15], "free")?.id, "hello");
  assert.equal(pick(PAGE, [99, 149], undefined), undefined);
});

test("stepping goes by reading order: a frame, what it holds, what lies over it, then the rest", () => {
  assert.deepEqual(names(inReadingOrder(PAGE)), ["left", "right", "picture", "hello", "free"]);
});

test("a page whose parents run in a circle is still read", () => {
  const odd = sheet([thing("one", "group", [0, 0, 9, 9], "two"), thing("two", "group", [0, 0, 9, 9], "one")]);
  assert.deepEqual(names(inReadingOrder(odd)), ["one", "two"]);
});
