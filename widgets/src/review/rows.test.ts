import assert from "node:assert/strict";
import { test } from "node:test";
import { effect, signal } from "@preact/signals";
import type { Choices } from "./choices.ts";
import { Rows } from "./rows.ts";

function made() {
  const reasons = signal<Choices>({});
  const out = signal<ReadonlyMap<string, string>>(new Map());
  return { reasons, out, rows: new Rows(reasons, out) };
}

test("a row says whether its change is taken, left out, or gone along", () => {
  const { reasons, out, rows } = made();
  assert.equal(rows.get("a").value.state, "in");
  reasons.value = { a: "too loud" };
  out.value = new Map([
    ["a", ""],
    ["b", "a"],
  ]);
  assert.deepEqual(rows.get("a").value, { state: "out", because: "", reason: "too loud" });
  assert.deepEqual(rows.get("b").value, { state: "along", because: "a", reason: "" });
});

test("only the rows that change are drawn anew", () => {
  const { reasons, rows } = made();
  const drawn: string[] = [];
  for (const id of ["a", "b"]) {
    effect(() => {
      drawn.push(`${id} ${rows.get(id).value.state}`);
    });
  }
  reasons.value = { b: "" };
  assert.deepEqual(drawn, ["a in", "b in", "b out"]);
});
