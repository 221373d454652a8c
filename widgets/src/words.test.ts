import assert from "node:assert/strict";
import { test } from "node:test";
import { speaker } from "./words.ts";

const TABLE = { pages: ["{n} {n|page|pages} of {title}", "《{title}》共 {n} 页"] } as const;

test("a sentence takes its values and the word that fits the number", () => {
  const en = speaker(TABLE, "en");
  assert.equal(en("pages", { n: 1, title: "A" }), "1 page of A");
  assert.equal(en("pages", { n: 2, title: "A" }), "2 pages of A");
});

test("Chinese has its own sentence", () => {
  assert.equal(speaker(TABLE, "zh")("pages", { n: 2, title: "猫" }), "《猫》共 2 页");
});
