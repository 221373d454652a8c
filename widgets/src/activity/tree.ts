// Pages of activity put together to one tree, whatever the order in which they come.

export interface ActivityEvent {
  event: string;
  at: string;
  kind: string;
  tool: string;
  capability: string;
  action: string;
  target: string[];
  outcome: string;
  code: string;
  assets: string[];
  summary: string;
  link: string;
  ms: number;
  answer_bytes: number;
}

export interface Task {
  group: string;
  actor: string;
  chapter: string;
  draft: string;
  state: "running" | "timed_out" | "awaiting" | "completed";
  opened_at: string;
  last_at: string;
  window_end: string;
  proposal: string;
  snapshot: string;
  events: ActivityEvent[];
}

export interface ActivityPage {
  groups: Task[];
  newest: string;
  oldest: string;
  later: boolean;
  earlier: boolean;
  works: Record<string, string>;
  now: number;
}

const number = (event: string): number => Number(event.slice(1)) || 0;

/** What tells a task from others; those older than tasks are told apart by agent, work and draft. */
export function keyOf(task: Task): string {
  return task.group || [task.actor, task.chapter, task.draft].join(" ");
}

/** The tree with one more page in it: each event once, in order; the task with the newest event first. */
export function joined(tree: readonly Task[], page: readonly Task[]): Task[] {
  const found = new Map(tree.map((task) => [keyOf(task), task]));
  for (const task of page) {
    const before = found.get(keyOf(task));
    const events = new Map([...(before?.events ?? []), ...task.events].map((event) => [event.event, event]));
    const ordered = [...events.values()].sort((one, other) => number(one.event) - number(other.event));
    const newer = before === undefined || last(task) >= last(before) ? task : before;
    found.set(keyOf(task), { ...newer, events: ordered });
  }
  return [...found.values()].sort((one, other) => last(other) - last(one));
}

function last(task: Task): number {
  return number(task.events.at(-1)?.event ?? "");
}

/** Milliseconds until the first running task's window ends; undefined when none runs. */
export function untilTimeout(tree: readonly Task[], now: number): number | undefined {
  const ends = tree.filter((task) => task.state === "running").map((task) => Date.parse(task.window_end) - now);
  return ends.length === 0 ? undefined : Math.max(0, Math.min(...ends));
}
