import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChapterLine, type Config, changes, fields, type Instruction, joined, shownChapter } from "./facts.ts";

const item = (sequence: number, state = "pending"): Instruction =>
  ({ id: `in_${sequence}`, sequence, state }) as Instruction;
const line = (id: string, pieces: number): ChapterLine => ({ id, pieces }) as ChapterLine;

test("older pages join without twins, and what is known newer stays", () => {
  const made = joined([item(5), item(4, "applied"), item(1)], [item(4), item(3), item(2), item(1)]);
  assert.deepEqual(
    made.map((one) => one.sequence),
    [5, 4, 3, 2, 1],
  );
  assert.equal(made[1]?.state, "applied");
});

test("the chapter that is shown stays until it is gone; at first it is the last with prose", () => {
  const chapters = [line("a", 2), line("b", 1), line("c", 0)];
  assert.equal(shownChapter("a", chapters), "a");
  assert.equal(shownChapter("gone", chapters), "b");
  assert.equal(shownChapter("", [line("a", 0), line("b", 0)]), "a");
  assert.equal(shownChapter("", []), "");
});

test("a form of a configuration tells what was changed in it, and nothing else", () => {
  const config: Config = {
    length: 8000,
    tolerance: 0.15,
    hard_maximum: null,
    unit_maximum: 6000,
    limits: { turns: 40, tokens: null },
  };
  const before = fields(config);
  const shown = Object.fromEntries(before.map(({ name, value }) => [name, value]));
  assert.deepEqual(shown, {
    length: "8000",
    tolerance: "15",
    hard_maximum: "",
    unit_maximum: "6000",
    turns: "40",
    tokens: "",
  });
  assert.deepEqual(changes(before, shown), {});
  assert.deepEqual(changes(before, { length: " ", tolerance: "7.5", turns: "50", tokens: "" }), {
    length: null,
    tolerance: 0.075,
    limits: { turns: 50 },
  });
  assert.deepEqual(
    before.filter((field) => field.open).map((field) => field.name),
    ["length", "hard_maximum", "tokens"],
  );
});
