import assert from "node:assert/strict";
import { test } from "node:test";
import { speaker } from "../words.ts";
import { type JobFacts, lasted, progress } from "./facts.ts";
import { WORDS } from "./words.ts";

const en = speaker(WORDS, "en");
const zh = speaker(WORDS, "zh");
const FACTS: JobFacts = {
  name: "export",
  state: "running",
  what: ["Page 3", "第 3 页"],
  done: 2,
  total: 1500,
  seconds: 4.2,
  stoppable: true,
  gave: "",
  error: null,
};

test("times are said to the second, and long ones to the minute", () => {
  assert.deepEqual(
    [0, 59.9, 60, 3599, 3600, 7325].map((seconds) => lasted(seconds, en)),
    ["0 s", "59 s", "1 min 0 s", "59 min 59 s", "1 h 0 min", "2 h 2 min"],
  );
  assert.equal(lasted(125, zh), "2 分 5 秒");
});

test("progress is what it works on and how far it is, in either language", () => {
  assert.equal(progress(FACTS, "en", en), "Page 3 · 2 of 1,500");
  assert.equal(progress(FACTS, "zh", zh), "第 3 页 · 2 / 1,500");
});

test("what is not known is left out", () => {
  assert.equal(progress({ ...FACTS, total: 0 }, "en", en), "Page 3");
  assert.equal(progress({ ...FACTS, total: 0, what: ["", ""] }, "en", en), "");
});
