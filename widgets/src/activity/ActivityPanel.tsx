// What agents do, task by task, while they do it: to look at, never to act on.
import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useCallback, useEffect, useRef } from "preact/hooks";
import { useLife } from "../kit/asked.ts";
import { Button, ErrorBox } from "../kit/kit.tsx";
import { clock } from "../kit/time.ts";
import { isAbort } from "../link.ts";
import { useSay, useShared } from "../shell.tsx";
import type { Language } from "../words.ts";
import { type ActivityEvent, type ActivityPage, joined, keyOf, type Task, untilTimeout } from "./tree.ts";
import { WORDS } from "./words.ts";

const LONGEST_TIMER = 60 * 60 * 1_000;

export function ActivityPanel() {
  const { link, model, announce } = useShared();
  const say = useSay(WORDS);
  const begun = model.get("state") as { agent?: string } | undefined;
  const agent = useSignal(begun?.agent ?? "");
  const failures = useSignal(false);
  const tree = useSignal<Task[]>([]);
  const works = useSignal<Record<string, string>>({});
  const edges = useSignal({ newest: "", oldest: "", earlier: false });
  const error = useSignal<unknown>(undefined);
  const loaded = useSignal(false);
  const agents = useSignal<string[]>([]);
  const closed = useSignal<ReadonlySet<string>>(new Set());
  const asking = useRef<Promise<void>>(Promise.resolve());
  const life = useLife();

  // One ask after the other, so that pages join without gaps.
  const load = useCallback(
    (which: "newest" | "after" | "before", signal: AbortSignal) => {
      const step = async () => {
        if (signal.aborted) return;
        const fresh = which === "newest" || (which === "after" && edges.value.newest === "");
        const args = {
          agent: agent.value,
          ...(fresh ? {} : which === "after" ? { after: edges.value.newest } : { before: edges.value.oldest }),
        };
        try {
          const { data } = await link.ask<ActivityPage>("page", args, { signal });
          const before = new Set(tree.value.flatMap((task) => task.events.map((event) => event.event)));
          tree.value = joined(fresh ? [] : tree.value, data.groups);
          works.value = data.works;
          agents.value = [...new Set([...agents.value, ...data.groups.map((task) => task.actor)])].sort();
          const { newest, oldest, earlier } = edges.value;
          edges.value = fresh
            ? { newest: data.newest, oldest: data.oldest, earlier: data.earlier }
            : which === "after"
              ? { newest: data.newest || newest, oldest, earlier }
              : { newest, oldest: data.oldest || oldest, earlier: data.earlier };
          loaded.value = true;
          error.value = undefined;
          if (which === "after") {
            for (const task of data.groups) {
              const n = task.events.filter((event) => !before.has(event.event)).length;
              if (n > 0) announce(say("new", { n, agent: task.actor }));
            }
            if (data.later) void load("after", signal);
          }
        } catch (thrown) {
          if (!isAbort(thrown)) error.value = thrown;
        }
      };
      asking.current = asking.current.then(step);
      return asking.current;
    },
    [link, agent, edges, tree, works, agents, loaded, error, announce, say],
  );

  useEffect(() => {
    void load("newest", life);
    const stop = link.on("moved", () => void load("after", life));
    return stop;
  }, [link, load, life]);

  const wait = untilTimeout(tree.value, Date.now());
  useEffect(() => {
    if (wait === undefined) return;
    const timer = setTimeout(() => void load("after", life), Math.min(wait + 1_000, LONGEST_TIMER));
    return () => clearTimeout(timer);
  }, [wait, load, life]);

  const choose = (name: string) => {
    agent.value = name;
    model.set("state", { agent: name });
    model.save_changes();
    void load("newest", life);
  };

  const shown = tree.value
    .map((task) => ({
      ...task,
      events: failures.value ? task.events.filter((event) => event.outcome !== "ok") : task.events,
    }))
    .filter((task) => task.events.length > 0);

  return (
    <section aria-label={say("title")} class="lk-activity">
      <div class="lk-bar">
        <h3>{say("title")}</h3>
        {link.state.value === "live" && <span class="lk-activity-live">{say("live")}</span>}
        <label>
          {say("agent")}{" "}
          <select
            class="lk-input"
            value={agent.value}
            data-testid="activity-agent"
            onChange={(event) => choose(event.currentTarget.value)}
          >
            <option value="">{say("everybody")}</option>
            {agents.value.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={failures.value}
            data-testid="activity-failures"
            onChange={(event) => {
              failures.value = event.currentTarget.checked;
            }}
          />{" "}
          {say("failures")}
        </label>
      </div>
      <ErrorBox error={error.value} testid="activity-error" />
      {loaded.value && shown.length === 0 && (
        <p class="lk-soft" data-testid="activity-none">
          {say("none")}
        </p>
      )}
      <Tree tasks={shown} works={works.value} closed={closed.value} onClosed={(next) => (closed.value = next)} />
      {edges.value.earlier && (
        <Button asks data-testid="activity-earlier" onClick={() => void load("before", life)}>
          {say("earlier")}
        </Button>
      )}
    </section>
  );
}

interface TreeProps {
  tasks: readonly Task[];
  works: Record<string, string>;
  closed: ReadonlySet<string>;
  onClosed: (closed: ReadonlySet<string>) => void;
}

/** A tree as assistive software knows it: arrows move, right opens, left closes. */
function Tree({ tasks, works, closed, onClosed }: TreeProps) {
  const say = useSay(WORDS);
  const { language } = useShared();
  const root = useRef<HTMLDivElement>(null);
  const current = useSignal("");
  const toggle = (key: string, open: boolean) => {
    const next = new Set(closed);
    if (open) next.delete(key);
    else next.add(key);
    onClosed(next);
  };
  const items = () => [...(root.current?.querySelectorAll<HTMLElement>("[role=treeitem]") ?? [])];
  const go = (item: HTMLElement | undefined) => {
    if (item === undefined) return;
    current.value = item.dataset.key ?? "";
    item.focus();
  };
  const keys = (event: KeyboardEvent) => {
    const all = items();
    const here = (event.target as HTMLElement).closest<HTMLElement>("[role=treeitem]");
    if (here === null) return;
    const at = all.indexOf(here);
    const parent = all.slice(0, at).findLast((item) => item.ariaLevel === "1");
    const opened = here.getAttribute("aria-expanded");
    const key = here.dataset.key ?? "";
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(all[at + 1]),
      ArrowUp: () => go(all[at - 1]),
      Home: () => go(all[0]),
      End: () => go(all.at(-1)),
      ArrowRight: () => (opened === "false" ? toggle(key, true) : opened === "true" && go(all[at + 1])),
      ArrowLeft: () => (opened === "true" ? toggle(key, false) : go(parent)),
      Enter: () => opened !== null && toggle(key, opened === "false"),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };
  const known = tasks.some((task) => keyOf(task) === current.value) || current.value.startsWith("e");
  const first = tasks[0] === undefined ? "" : keyOf(tasks[0]);
  const stop = known ? current.value : first;
  return (
    <div role="tree" aria-label={say("tree")} ref={root} onKeyDown={keys} data-testid="activity-tree">
      {tasks.map((task) => {
        const key = keyOf(task);
        const open = !closed.has(key);
        return (
          <Fragment key={key}>
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears the keys */}
            <div
              role="treeitem"
              aria-level={1}
              aria-expanded={open}
              data-key={key}
              data-testid="activity-task"
              data-state={task.state}
              tabIndex={stop === key ? 0 : -1}
              class="lk-activity-task"
              onClick={() => toggle(key, !open)}
            >
              <span aria-hidden="true" class={`lk-activity-dot lk-activity-${task.state}`} />
              <strong>{titleOf(task, works, say)}</strong>
              <span class="lk-soft"> · {say("calls", { n: task.events.length })}</span>
            </div>
            {open &&
              task.events.map((event) => (
                <EventRow key={event.event} event={event} stop={stop === event.event} language={language} />
              ))}
          </Fragment>
        );
      })}
    </div>
  );
}

function EventRow({ event, stop, language }: { event: ActivityEvent; stop: boolean; language: Language }) {
  const say = useSay(WORDS);
  const failed = event.outcome !== "ok";
  const way = event.tool || event.capability;
  const what = way ? `${way}: ${event.action}` : event.kind.replace("_", " ");
  const about = [...event.target, ...event.assets, event.target.includes(event.link) ? "" : event.link];
  return (
    <div
      role="treeitem"
      aria-level={2}
      data-key={event.event}
      data-testid="activity-event"
      data-outcome={event.outcome}
      tabIndex={stop ? 0 : -1}
      class={`lk-activity-event${failed ? " lk-activity-failed" : ""}`}
    >
      <span class="lk-code lk-soft">{event.event}</span>
      <time dateTime={event.at} title={event.at}>
        {clock(Date.parse(event.at), language)}
      </time>
      <span>{what}</span>
      <span class="lk-activity-came">
        {failed ? say("failed", { code: event.code }) : event.summary}{" "}
        <span class="lk-code lk-soft">{about.filter(Boolean).join(" ")}</span>
      </span>
      <span class="lk-soft lk-activity-size">
        {event.kind === "call"
          ? [say("ms", { n: event.ms }), event.answer_bytes ? say("bytes", { n: size(event.answer_bytes) }) : ""]
              .filter(Boolean)
              .join(" · ")
          : ""}
      </span>
    </div>
  );
}

function titleOf(task: Task, works: Record<string, string>, say: ReturnType<typeof useSay<typeof WORDS>>): string {
  const { proposal, snapshot } = task;
  const where = [works[task.chapter] ?? task.chapter, task.draft].filter(Boolean);
  const name = task.group ? `${task.group} ${task.actor}` : task.actor;
  const state = task.group ? say(task.state, { proposal, snapshot }) : say("task");
  return `${[name, ...where].join(" · ")}: ${state}`;
}

function size(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : `${Math.round(bytes / 1_000)} kB`;
}
