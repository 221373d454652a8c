import assert from "node:assert/strict";
import { test } from "node:test";
import { type ActivityEvent, joined, type Task, untilTimeout } from "./tree.ts";

const event = (name: string): ActivityEvent => ({ event: name }) as ActivityEvent;
const task = (group: string, events: string[], rest: Partial<Task> = {}): Task =>
  ({ group, actor: "a", chapter: "", draft: "", state: "running", ...rest, events: events.map(event) }) as Task;
const shape = (tree: Task[]) => tree.map((item) => [item.group, item.events.map((one) => one.event)]);

test("pages join in whatever order they come, each event once", () => {
  const pages = [[task("g1", ["e1", "e2"])], [task("g1", ["e2", "e4"]), task("g2", ["e3"])], [task("g2", ["e10"])]];
  const forwards = pages.reduce<Task[]>((tree, page) => joined(tree, page), []);
  const backwards = pages.toReversed().reduce<Task[]>((tree, page) => joined(tree, page), []);
  assert.deepEqual(shape(forwards), [
    ["g2", ["e3", "e10"]],
    ["g1", ["e1", "e2", "e4"]],
  ]);
  assert.deepEqual(shape(backwards), shape(forwards));
});

test("an earlier page does not bring an earlier state back", () => {
  const tree = joined([task("g1", ["e9"], { state: "completed" })], [task("g1", ["e2"], { state: "running" })]);
  assert.equal(tree[0]?.state, "completed");
});

test("events older than tasks stay apart by agent and work", () => {
  const tree = joined([], [task("", ["e1"], { actor: "a" }), task("", ["e2"], { actor: "b" })]);
  assert.equal(tree.length, 2);
});

test("the next timeout is that of the running task that ends first", () => {
  const end = (at: number) => ({ window_end: new Date(at).toISOString() });
  assert.equal(untilTimeout([task("g1", [], end(900)), task("g2", [], end(500))], 100), 400);
  assert.equal(untilTimeout([task("g1", [], { ...end(900), state: "awaiting" })], 100), undefined);
});
