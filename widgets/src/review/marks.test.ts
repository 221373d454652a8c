import assert from "node:assert/strict";
import { test } from "node:test";
import { sheet, thing } from "../viewer/sample.ts";
import type { Part } from "./facts.ts";
import { aside, marksOf, placeOf } from "./marks.ts";

function part(object: string, change: Part["change"], property = ""): Part {
  const id = property === "" ? object : `${object}.${property}`;
  return { id, unit: "un_1", object, kind: "balloon", change, name: "", words: `${id} ${change}`, needs: [] };
}

const before = sheet([thing("old", "balloon", [10, 10, 20, 10]), thing("kept", "balloon", [10, 40, 20, 10])]);
const after = sheet([thing("new", "balloon", [50, 10, 20, 10]), thing("kept", "balloon", [30, 40, 20, 10])]);
const parts = [
  part("old", "removed"),
  part("new", "added"),
  part("kept", "changed", "box"),
  part("kept", "changed", "text"),
];

test("each object is marked where it is to be seen, by its kind of change", () => {
  const marks = marksOf(parts, { before, after }, new Map(), () => {});
  assert.deepEqual(
    marks.map(({ id, tone, on }) => [id, tone, on]),
    [
      ["old/before", "remove", "against"],
      ["new/after", "add", "sheet"],
      ["kept/after", "change", "sheet"],
      ["kept/before", "change", "against"],
    ],
  );
  assert.equal(marks[2]?.label, "kept.box changed; kept.text changed");
});

test("what did not move is marked once, what is left out wholly is marked so", () => {
  const same = { before: after, after };
  const out = new Map([
    ["kept.box", ""],
    ["kept.text", "kept.box"],
  ]);
  const marks = marksOf(parts.slice(2), same, out, () => {});
  assert.deepEqual(
    marks.map(({ id, tone, text }) => [id, tone, text]),
    [["kept/after", "lost", "×"]],
  );
});

test("the marks of what is chosen make room for its name", () => {
  const marks = aside(
    marksOf(parts, { before, after }, new Map(), () => {}),
    "new",
  );
  assert.deepEqual(
    marks.map(({ kind, at }) => [kind, at]),
    [
      ["box", undefined],
      ["pin", [70, 10]],
      ["box", undefined],
      ["box", undefined],
    ],
  );
});

test("alone on its side, a page's marks are on it", () => {
  const [mark] = marksOf([part("new", "added")], { before: null, after }, new Map(), () => {});
  assert.equal(mark?.on, undefined);
});

test("a click on a mark goes to its part, and a place is found on either side", () => {
  let gone = "";
  marksOf(parts, { before, after }, new Map(), (id) => {
    gone = id;
  })[1]?.onClick?.();
  assert.equal(gone, "new");
  assert.deepEqual(placeOf({ before, after }, "old"), [10, 10, 20, 10]);
  assert.equal(placeOf({ before, after }, "nothing"), undefined);
});
