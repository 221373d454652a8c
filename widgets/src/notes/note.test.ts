import assert from "node:assert/strict";
import { test } from "node:test";
import type { Point, Thing } from "../viewer/sheet.ts";
import { chosen, marksOf, type Note, pointed } from "./note.ts";

const FRAME = { id: "fr_1", name: "frame 1" } as Thing;
const note = (id: string, state: Note["state"], references: Partial<Note["references"][number]>[] = []): Note =>
  ({ id, state, body: "brighter", references }) as Note;

test("one aim may mean the thing, the place on the paper or all of the page", () => {
  const aim = { unit: "un_1", title: "Page 1", point: [20, 50] as Point, thing: FRAME };
  assert.deepEqual(pointed(aim, "thing"), { unit: "un_1", object: "fr_1", point: [20, 50] });
  assert.deepEqual(pointed(aim, "point"), { unit: "un_1", point: [20, 50] });
  assert.deepEqual(pointed(aim, "page"), { unit: "un_1" });
  assert.deepEqual(pointed({ ...aim, thing: undefined }, "thing"), { unit: "un_1", point: [20, 50] });
});

test("what is settled is told from what is not", () => {
  const notes = [note("a", "open"), note("b", "shelved"), note("c", "awaiting")];
  assert.deepEqual(
    chosen(notes, "unsettled").map((item) => item.id),
    ["a", "c"],
  );
  assert.deepEqual(
    chosen(notes, "settled").map((item) => item.id),
    ["b"],
  );
});

test("pins stand only on their own page, and a lost one looks lost", () => {
  const references = [
    { place: 1, unit: "un_1", at: [1, 2], resolution: "missing" },
    { place: 2, unit: "un_2", at: [1, 2], resolution: "unchanged" },
    { place: 3, unit: null, at: null, resolution: "missing" },
  ] as Partial<Note["references"][number]>[];
  const marks = marksOf([note("a", "open", references)], "un_1", "", () => {});
  assert.deepEqual(
    marks.map((mark) => [mark.id, mark.tone]),
    [["a-1", "lost"]],
  );
});
