import assert from "node:assert/strict";
import { test } from "node:test";
import { signal } from "@preact/signals";
import type { Facts } from "./facts.ts";
import { Look, type Looked } from "./look.ts";

function looking(kept: Looked = {}) {
  const unit = (name: string, there = true) => ({ unit: name, title: name, before: there, after: there, moved: false });
  const part = { id: "bl_1.text", unit: "un_2", object: "bl_1" };
  const facts = { units: [unit("ch_1", false), unit("un_1"), unit("un_2")], parts: [part] } as unknown as Facts;
  const moves = { count: 0 };
  const look = new Look(signal(facts), kept, () => {
    moves.count++;
  });
  look.settle();
  return { look, moves };
}

test("one begins at the first page that is there, or where one looked last", () => {
  assert.equal(looking().look.unit.value, "un_1");
  assert.equal(looking({ unit: "un_2", compare: "onion" }).look.unit.value, "un_2");
  assert.equal(looking({ unit: "un_9" }).look.unit.value, "un_1");
});

test("going to a change shows its page and flies to its object", () => {
  const { look, moves } = looking();
  look.go("bl_1.text");
  assert.equal(look.unit.value, "un_2");
  assert.deepEqual(look.target.value, { unit: "un_2", object: "bl_1" });
  assert.equal(look.selected.value, "bl_1.text");
  assert.equal(moves.count, 1);
  look.go("unit ch_1");
  assert.equal(look.unit.value, "un_2", "the chapter itself is no page");
});

test("pages are turned as far as there are any", () => {
  const { look } = looking();
  look.turn(-1);
  assert.equal(look.unit.value, "un_1");
  look.turn(1);
  look.turn(1);
  assert.equal(look.unit.value, "un_2");
});
