import assert from "node:assert/strict";
import { test } from "node:test";
import { PAGE, Pages } from "./pages.ts";
import type { Edge, Page, Row } from "./shapes.ts";

const row = (place: number) => ({ id: `r${place}` }) as Row;
const trunk: Edge = ["trunk", 0, 0, 9_999, 0, 0, 0, ""];

function kernel(stamp = "one") {
  const asked: number[] = [];
  const given: AbortSignal[] = [];
  const fetch = async (start: number, count: number, signal: AbortSignal): Promise<Page> => {
    asked.push(start);
    given.push(signal);
    await Promise.resolve();
    const rows = Array.from({ length: count }, (_, at) => row(start + at));
    return { stamp, start, rows, edges: [trunk, ["branch", 1, 2 * start, 2 * start + 2, 1, 1, 0, "d1"]] };
  };
  return { asked, given, fetch };
}

test("each page is asked for once, however often its rows are wanted", async () => {
  const { asked, fetch } = kernel();
  const pages = new Pages("one", 5_000, fetch, () => {});
  await Promise.all([pages.want(0, 10), pages.want(5, 10)]);
  await pages.want(PAGE - 1, 2);
  assert.deepEqual(asked, [0, PAGE]);
  assert.equal(pages.row(PAGE + 3)?.id, `r${PAGE + 3}`);
  assert.equal(pages.row(3 * PAGE), undefined);
  assert.ok(pages.has(0, 2 * PAGE) && !pages.has(0, 2 * PAGE + 1));
});

test("whoever wants rows that are under way waits for them too", async () => {
  const { fetch } = kernel();
  const pages = new Pages("one", 5_000, fetch, () => {});
  void pages.want(0, 10);
  await pages.want(5, 1);
  assert.equal(pages.row(5)?.id, "r5");
});

test("an edge that comes with several pages is one edge", async () => {
  const { fetch } = kernel();
  const pages = new Pages("one", 5_000, fetch, () => {});
  await pages.want(0, 2 * PAGE);
  assert.equal(pages.edges(0, 2 * PAGE).length, 3);
});

test("what is not wanted any more is given up", async () => {
  const { given, fetch } = kernel();
  const pages = new Pages("one", 5_000, fetch, () => {});
  const first = pages.want(0, 10);
  await Promise.all([first, pages.want(40 * PAGE, 10)]);
  assert.deepEqual(
    given.map((signal) => signal.aborted),
    [true, false],
  );
  assert.equal(pages.row(0), undefined);
});

test("far pages are forgotten, near ones stay", async () => {
  const { fetch } = kernel();
  const pages = new Pages("one", 50_000, fetch, () => {});
  for (let at = 0; at < 40; at++) await pages.want(at * PAGE, 1);
  assert.equal(pages.row(0), undefined);
  assert.equal(pages.row(39 * PAGE)?.id, `r${39 * PAGE}`);
  assert.equal(pages.row(38 * PAGE)?.id, `r${38 * PAGE}`);
});

test("rows of another moment are not mixed in", async () => {
  let told = 0;
  const pages = new Pages("one", 500, kernel("two").fetch, () => told++);
  await pages.want(0, 10);
  assert.ok(pages.stale);
  assert.equal(pages.row(0), undefined);
  assert.equal(told, 1);
});

test("a failure is kept, and the next try may go well", async () => {
  const good = kernel().fetch;
  let fails = true;
  const pages = new Pages(
    "one",
    500,
    (...given) => (fails ? Promise.reject(new Error("busy")) : good(...given)),
    () => {},
  );
  await pages.want(0, 10);
  assert.match(String(pages.error), /busy/);
  fails = false;
  await pages.want(0, 10);
  assert.equal(pages.error, undefined);
  assert.equal(pages.row(0)?.id, "r0");
});
