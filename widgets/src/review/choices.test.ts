import assert from "node:assert/strict";
import { test } from "node:test";
import { because, chosen, NO_FILTER, pack, passes, ROOM, tooLong, unpack } from "./choices.ts";
import type { Part } from "./facts.ts";

function part(id: string, change: Part["change"] = "changed", words = id): Part {
  return { id, unit: "un_1", object: id, kind: "balloon", change, name: "", words, needs: [] };
}

test("choices come back as they were kept, for their own proposal only", () => {
  const choices = { a: "too loud", b: "too loud", c: "" };
  const parts = ["a", "b", "c"].map((id) => part(id));
  const kept = pack("p1", choices);
  assert.equal(kept.left.length, 2, "a common reason is kept once");
  assert.deepEqual(unpack(kept, "p1", parts), { choices, lost: 0 });
  assert.deepEqual(unpack(kept, "p2", parts).choices, {});
  assert.deepEqual(unpack(undefined, "p1", parts).choices, {});
});

test("what is no part any more is counted, not kept", () => {
  assert.deepEqual(unpack(pack("p1", { a: "x", gone: "y" }), "p1", [part("a")]), { choices: { a: "x" }, lost: 1 });
});

test("reasons that are too long to be kept are left away, and said to be", () => {
  const choices = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`part-${at}`, `${at}`.repeat(300)]));
  const kept = pack("p1", choices);
  assert.equal(kept.bare, true);
  assert.ok(JSON.stringify(kept).length <= ROOM);
  assert.equal(kept.left[0]?.[1].length, 80, "what is left out is kept all the same");
});

test("what is left out keeps its reason until it is taken again", () => {
  const first = because(chosen({}, ["a", "b"], false), ["a"], "no");
  assert.deepEqual(chosen(first, ["a"], false), { a: "no", b: "" });
  assert.deepEqual(chosen(first, ["a"], true), { b: "" });
  assert.deepEqual(because(first, ["c"], "never left out"), first);
});

test("a reason is measured in characters as people count them", () => {
  assert.deepEqual(tooLong({ a: "x".repeat(400), b: "😀".repeat(400), c: "x".repeat(401) }), ["c"]);
});

test("a filter looks at words, sorts of change and what is left out", () => {
  const moved = part("m", "moved", "Balloon moved to page 2");
  assert.ok(passes(moved, { ...NO_FILTER, change: "changed", words: "PAGE 2" }, new Set()));
  assert.ok(!passes(moved, { ...NO_FILTER, change: "added" }, new Set()));
  assert.ok(!passes(moved, { ...NO_FILTER, out: true }, new Set()));
  assert.ok(passes(moved, { ...NO_FILTER, out: true }, new Set(["m"])));
});
