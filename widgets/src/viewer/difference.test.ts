import assert from "node:assert/strict";
import { test } from "node:test";
import { markChanges, STRONG } from "./difference.ts";

const pixels = (...values: number[]) => new Uint8ClampedArray(values.flatMap((value) => [value, value, value, 255]));

test("what compression does is no change, what one sees is", () => {
  const out = new Uint8ClampedArray(12);
  assert.equal(markChanges(pixels(100, 100, 0), pixels(110, 140, 255), out), 2);
  assert.deepEqual([...out], [0, 0, 0, 0, ...STRONG, 255, ...STRONG, 255]);
});

test("a change in one channel is enough", () => {
  const out = new Uint8ClampedArray(4);
  const [one, other] = [pixels(50), pixels(50)];
  other[2] = 90;
  assert.equal(markChanges(one, other, out), 1);
});
