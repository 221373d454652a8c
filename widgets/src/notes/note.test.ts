import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sheet, Thing } from "../viewer/sheet.ts";
import { aimed, chosen, marksOf, type Note } from "./note.ts";

const SHEET = { unit: "un_1", title: "Page 1", trim: [0, 0, 100, 200] } as unknown as Sheet;
const FRAME = { handle: "fr_1#abc", name: "frame 1", box: [10, 20, 40, 40] } as unknown as Thing;
const note = (id: string, state: Note["state"], references: Partial<Note["references"][number]>[] = []): Note =>
  ({ id, state, body: "brighter", references }) as Note;

test("a click on a thing points inside it, by its handle", () => {
  assert.deepEqual(aimed([20, 50], FRAME, SHEET).on, { element: "fr_1#abc", at: [0.25, 0.75] });
});

test("a click beside all things points at a share of the trim, and never past it", () => {
  assert.deepEqual(aimed([-3, 50], undefined, SHEET).on, { unit: "un_1", point: [0, 0.25] });
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
