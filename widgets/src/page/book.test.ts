import assert from "node:assert/strict";
import { test } from "node:test";
import { instead, laid, type Opening, openingOf, openings, slotsWithin, stacked, type UnitFacts } from "./book.ts";

const unit = (name: string, kind = "page"): UnitFacts => ({
  unit: name,
  title: name,
  kind,
  key: name,
  width: kind === "spread" ? 200 : 100,
  height: 150,
  spread: kind === "spread",
});
const shown = (all: Opening[]) => all.map(({ first, second }) => `${first?.unit ?? "-"}${second?.unit ?? "-"}`);
const BOOK = [
  unit("c", "cover"),
  unit("1"),
  unit("2"),
  unit("3"),
  unit("s", "spread"),
  unit("4"),
  unit("5"),
  unit("6"),
];

test("a cover lies alone, the first page begins on the far side, a spread breaks the pairs", () => {
  assert.deepEqual(shown(openings(BOOK)), ["c-", "-1", "23", "s-", "45", "6-"]);
});

test("a page that waits for its partner is shown without it before a spread", () => {
  assert.deepEqual(shown(openings([unit("1"), unit("2"), unit("s", "spread")])), ["-1", "2-", "s-"]);
});

test("a chapter without pages has no openings", () => {
  assert.deepEqual(openings([]), []);
  assert.equal(openingOf([], "x"), 0);
});

test("the opening of a unit is found on either side", () => {
  const all = openings(BOOK);
  assert.equal(openingOf(all, "2"), 2);
  assert.equal(openingOf(all, "3"), 2);
});

test("a book bound on the left has its earlier page there, one bound on the right has it there", () => {
  const pair = openings(BOOK)[2] as Opening;
  const places = (binding: "left" | "right" | "top") => laid(pair, binding, new Map()).map(({ at }) => at);
  assert.deepEqual(places("left"), [
    [-100, 0],
    [0, 0],
  ]);
  const units = { first: { ...unit("2"), width: 90 }, second: unit("3"), alone: false };
  assert.deepEqual(
    laid(units, "right", new Map()).map(({ area }) => area[2]),
    [100, 90],
  );
  assert.deepEqual(places("top"), [
    [0, -150],
    [0, 0],
  ]);
});

test("a strip stacks units, without gaps where one reads down", () => {
  assert.deepEqual(
    stacked([unit("1"), unit("2")], "ttb").slots.map(({ top }) => top),
    [0, 150],
  );
  const spaced = stacked([unit("1"), unit("2")], "rtl");
  assert.deepEqual(
    spaced.slots.map(({ top }) => top),
    [0, 158],
  );
  assert.equal(spaced.height, 308);
});

test("of a long strip only what is seen is found", () => {
  const { slots } = stacked(
    Array.from({ length: 500 }, (_, at) => unit(String(at))),
    "ttb",
  );
  assert.deepEqual(
    slotsWithin(slots, 300, 460).map((slot) => slot.unit.unit),
    ["1", "2", "3"],
  );
  assert.deepEqual(slotsWithin(slots, 1e9, 2e9), []);
});

test("when a unit is gone one looks at what took its place", () => {
  assert.equal(instead([unit("1"), unit("2"), unit("3")], [unit("1"), unit("3")], "2"), "3");
  assert.equal(instead([unit("1"), unit("2")], [unit("1")], "2"), "1");
  assert.equal(instead([unit("1")], [], "1"), "");
  assert.equal(instead([unit("1"), unit("2")], [unit("2"), unit("1")], "1"), "1");
});
