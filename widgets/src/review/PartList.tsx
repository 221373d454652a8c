// biome-ignore-all lint/a11y/useSemanticElements: rows of a grid, laid out freely
// biome-ignore-all lint/a11y/useFocusableInteractive: focus goes to rows, and into fields that are in them
// biome-ignore-all lint/a11y/useKeyWithClickEvents: keys are heard by the grid
// The changes in words, unit by unit: each is taken or left out by itself, with a reason.
import { type ReadonlySignal, type Signal, useComputed, useSignal } from "@preact/signals";
import { useCallback, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { loose } from "../kit/focus.ts";
import { Button, Choice } from "../kit/kit.tsx";
import { useShared } from "../shell.tsx";
import { type Filter, NO_FILTER, passes, REASON, sort } from "./choices.ts";
import { type Facts, type Part, type UnitFacts, undecided } from "./facts.ts";
import { type Flag, flagsOf } from "./flags.ts";
import { useCase, useWords, type Words } from "./shared.ts";

const FEW = 30;
/** From here on rows out of sight are not laid out. */
const MANY = 100;
const SIGNS = { added: "+", removed: "−", changed: "~" } as const;

interface Group {
  unit: UnitFacts;
  parts: Part[];
}

export function PartList({ facts }: { facts: Facts }) {
  const say = useWords();
  const about = useCase();
  const filter = useSignal<Filter>(NO_FILTER);
  const active = useSignal("");
  const grid = useRef<HTMLDivElement>(null);
  const open = undecided(facts);
  const groups = useMemo<Group[]>(() => {
    const byUnit = new Map<string, Part[]>();
    for (const part of facts.parts) byUnit.set(part.unit, [...(byUnit.get(part.unit) ?? []), part]);
    return facts.units.flatMap((unit) => {
      const parts = byUnit.get(unit.unit);
      return parts === undefined ? [] : [{ unit, parts }];
    });
  }, [facts]);
  const shown = useComputed<Group[]>(() => {
    const wanted = filter.value;
    if (wanted === NO_FILTER) return groups;
    const out = new Set(wanted.out ? about.out.value.keys() : []);
    return groups
      .map(({ unit, parts }) => ({ unit, parts: parts.filter((part) => passes(part, wanted, out)) }))
      .filter(({ parts }) => parts.length > 0);
  });
  const flags = useComputed(() => flagsOf(facts, about.outcome.value));
  const order = useComputed(() =>
    shown.value.flatMap(({ unit, parts }) => [`unit ${unit.unit}`, ...parts.map((part) => part.id)]),
  );

  const focus = useCallback(
    (row: string | undefined) => {
      if (row === undefined) return;
      active.value = row;
      const found = grid.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row)}"]`);
      found?.focus();
    },
    [active],
  );
  // what was clicked in the picture comes into sight here
  const selected = about.look.selected.value;
  useLayoutEffect(() => {
    if (selected === "") return;
    active.value = selected;
    const found = grid.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(selected)}"]`);
    found?.scrollIntoView({ block: "nearest" });
  }, [selected, active]);

  const keys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = active.value;
    const writing = event.target instanceof HTMLInputElement && event.target.type === "text";
    if (writing) {
      if (event.key !== "Escape" && event.key !== "Enter") return;
      event.preventDefault();
      focus(row);
      return;
    }
    const at = order.value.indexOf(row);
    const act: Record<string, () => void> = {
      ArrowDown: () => focus(order.value[at + 1]),
      ArrowUp: () => focus(order.value[at - 1]),
      Home: () => focus(order.value[0]),
      End: () => focus(order.value.at(-1)),
      Enter: () => about.look.go(row),
      " ": () => {
        if (open) toggle(row);
      },
      r: () => write(row),
      R: () => write(row),
    };
    const found = act[event.key];
    if (found === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    found();
  };
  const toggle = (row: string) => {
    const ids = idsOf(groups, row);
    const taken = ids.every((id) => about.row(id).value.state === "in");
    about.take(ids, !taken);
  };
  const write = (row: string) => {
    if (!open) return;
    const ids = idsOf(groups, row);
    if (!ids.some((id) => about.row(id).value.state === "out")) about.take(ids, false);
    requestAnimationFrame(() => {
      if (!loose(grid.current)) return;
      grid.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row)}"] input[type=text]`)?.focus();
    });
  };
  const first = active.value === "" || !order.value.includes(active.value) ? order.value[0] : active.value;

  return (
    <section class="lk-review-list" data-testid="review-list">
      <Top facts={facts} open={open} filter={filter} />
      {shown.value.length === 0 && <p class="lk-soft">{say("none")}</p>}
      <div
        role="grid"
        aria-label={say("list")}
        aria-rowcount={order.value.length}
        class={`lk-review-rows ${order.value.length > MANY ? "lk-review-many" : ""}`}
        ref={grid}
        onKeyDown={keys}
        tabIndex={-1}
        data-testid="review-rows"
      >
        {shown.value.map(({ unit, parts }) => (
          <div role="rowgroup" key={unit.unit} aria-label={unit.title || say("chapter")}>
            <UnitRow unit={unit} parts={parts} open={open} first={first} active={active} />
            {parts.map((part) => (
              <PartRow key={part.id} part={part} open={open} first={first} active={active} flags={flags} />
            ))}
          </div>
        ))}
      </div>
    </section>
  );
}

function idsOf(groups: readonly Group[], row: string): string[] {
  if (!row.startsWith("unit ")) return [row];
  const group = groups.find(({ unit }) => `unit ${unit.unit}` === row);
  return group?.parts.map((part) => part.id) ?? [];
}

function Top({ facts, open, filter }: { facts: Facts; open: boolean; filter: Signal<Filter> }) {
  const say = useWords();
  const about = useCase();
  const all = facts.parts.length;
  const out = about.out.value.size;
  const wanted = filter.value;
  const set = (next: Partial<Filter>) => {
    filter.value = { ...wanted, ...next };
  };
  return (
    <div class="lk-review-top">
      <div class="lk-bar">
        <h4>{say("changes")}</h4>
        {open && (
          <span class="lk-soft" data-testid="review-count">
            {say("countParts", { left: all - out, all })}
          </span>
        )}
        {open && Object.keys(about.choices.value).length > 0 && (
          <Button
            data-testid="review-take-all"
            onClick={() =>
              about.take(
                facts.parts.map((part) => part.id),
                true,
              )
            }
          >
            {say("takeEverything")}
          </Button>
        )}
      </div>
      {all > FEW && (
        <div class="lk-bar" data-testid="review-filters">
          <input
            type="search"
            class="lk-input lk-review-seek"
            placeholder={say("seek")}
            aria-label={say("seek")}
            value={wanted.words}
            data-testid="review-seek"
            onInput={(event) => set({ words: event.currentTarget.value })}
          />
          <Choice
            label={say("changes")}
            value={wanted.out ? "out" : wanted.change || "every"}
            options={(["every", "added", "changed", "removed", "out"] as const).map((value) => ({
              value,
              label: say(value === "out" ? "leftOut" : value),
              testid: `review-filter-${value}`,
            }))}
            onChange={(value) =>
              set({ change: value === "every" || value === "out" ? "" : value, out: value === "out" })
            }
          />
        </div>
      )}
    </div>
  );
}

interface RowProps {
  open: boolean;
  first: string | undefined;
  active: Signal<string>;
}

function UnitRow({ unit, parts, open, first, active }: RowProps & { unit: UnitFacts; parts: Part[] }) {
  const say = useWords();
  const about = useCase();
  const row = `unit ${unit.unit}`;
  const title = unit.title || say("chapter");
  const ids = useMemo(() => parts.map((part) => part.id), [parts]);
  const states = useComputed(() => ids.map((id) => about.row(id).value));
  const taken = states.value.filter((item) => item.state === "in").length;
  const whole = useWhole(about, ids);
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = taken > 0 && taken < ids.length;
  }, [taken, ids]);
  return (
    <div
      role="row"
      class="lk-review-row lk-review-unit"
      data-row={row}
      data-testid="review-unit"
      data-unit={unit.unit}
      tabIndex={first === row ? 0 : -1}
      onFocus={(event) => {
        if (event.target === event.currentTarget) active.value = row;
      }}
      onClick={() => about.look.go(row)}
    >
      <span role="gridcell" class="lk-review-box">
        {open && (
          <input
            ref={box}
            type="checkbox"
            tabIndex={-1}
            checked={taken === ids.length}
            aria-label={say("takeAll", { title })}
            data-testid="review-take-unit"
            onClick={(event) => event.stopPropagation()}
            onChange={() => about.take(ids, taken < ids.length && taken === 0)}
          />
        )}
      </span>
      <span role="gridcell" class="lk-review-said">
        <b>{title}</b>{" "}
        <span class="lk-soft">{open ? say("countParts", { left: taken, all: ids.length }) : ids.length}</span>
      </span>
      {open && whole.value && (
        <Reason ids={ids} reason={states.value[0]?.reason ?? ""} label={say("reasonAll", { title })} />
      )}
    </div>
  );
}

/** Whether a unit is left out whole, for one reason. */
function useWhole(about: ReturnType<typeof useCase>, ids: readonly string[]): ReadonlySignal<boolean> {
  return useComputed(() => {
    const states = ids.map((id) => about.row(id).value);
    const [one] = states;
    return ids.length > 1 && states.every((item) => item.state === "out" && item.reason === one?.reason);
  });
}

interface PartProps extends RowProps {
  part: Part;
  flags: ReadonlySignal<ReadonlyMap<string, Flag[]>>;
}

function PartRow({ part, open, first, active, flags }: PartProps) {
  const say = useWords();
  const about = useCase();
  const { state, because, reason } = about.row(part.id).value;
  const chosen = useComputed(() => about.look.selected.value === part.id).value;
  const pointed = useComputed(() => about.look.pointed.value !== "" && about.look.pointed.value === part.object).value;
  const mine = useComputed(() => flags.value.get(part.id) ?? NONE).value;
  const siblings = useComputed(() => about.byUnit.value.get(part.unit) ?? NOBODY).value;
  const whole = useWhole(about, siblings).value;
  const kind = sort(part);
  return (
    <div
      role="row"
      class="lk-review-row"
      data-row={part.id}
      data-testid="review-part"
      data-part={part.id}
      data-state={state}
      data-pointed={pointed || undefined}
      aria-selected={chosen}
      tabIndex={first === part.id ? 0 : -1}
      onFocus={(event) => {
        if (event.target === event.currentTarget) active.value = part.id;
      }}
      onClick={() => about.look.go(part.id)}
      onMouseEnter={() => {
        about.look.hovered.value = part.id;
      }}
      onMouseLeave={() => {
        if (about.look.hovered.value === part.id) about.look.hovered.value = "";
      }}
    >
      <span role="gridcell" class="lk-review-box">
        {open && (
          <input
            type="checkbox"
            tabIndex={-1}
            checked={state === "in"}
            disabled={state === "along"}
            aria-label={say("take", { what: part.words })}
            data-testid="review-take"
            onClick={(event) => event.stopPropagation()}
            onChange={() => about.take([part.id], state === "out")}
          />
        )}
      </span>
      <span role="gridcell" class="lk-review-said">
        <span class={`lk-review-sign lk-review-sign-${kind}`} aria-hidden="true">
          {SIGNS[kind]}
        </span>
        <span class="lk-unseen">{say(kind)}: </span>
        <span class={state === "in" ? "" : "lk-review-out"}>{part.words}</span>
        <Ties part={part} state={state} because={because} say={say} />
        {mine.map((flag) => (
          <span key={`${flag.sort} ${flag.by}`} class={`lk-review-flag lk-review-flag-${flag.sort}`}>
            {say(flag.sort, { by: flag.by })}
          </span>
        ))}
        {!open && reason !== "" && <span class="lk-soft"> — {reason}</span>}
      </span>
      {open && state === "out" && !whole && (
        <Reason ids={[part.id]} reason={reason} label={say("reasonFor", { what: part.words })} />
      )}
    </div>
  );
}

const NONE: Flag[] = [];
const NOBODY: string[] = [];

/** What a part goes with. */
function Ties({ part, state, because, say }: { part: Part; state: string; because: string; say: Words }) {
  const about = useCase();
  const called = (id: string) => about.part(id)?.words ?? id;
  if (state === "along") {
    return (
      <span class="lk-review-ties" data-testid="review-along">
        {say("goesWith", { what: called(because) })}
      </span>
    );
  }
  if (part.needs.length === 0) return null;
  const named = part.needs.slice(0, 2).map(called);
  if (part.needs.length > 2) named.push("…");
  return <span class="lk-review-ties">{say("needs", { what: named.join("; ") })}</span>;
}

function Reason({ ids, reason, label }: { ids: readonly string[]; reason: string; label: string }) {
  const say = useWords();
  const { language } = useShared();
  const about = useCase();
  const length = [...reason].length;
  const over = length > REASON.part;
  return (
    <span role="gridcell" class="lk-review-reason">
      <input
        type="text"
        class="lk-input"
        lang={language}
        value={reason}
        placeholder={say("reasonHint")}
        aria-label={label}
        aria-invalid={over}
        data-testid="review-reason"
        onClick={(event) => event.stopPropagation()}
        onInput={(event) => about.reason(ids, event.currentTarget.value)}
      />
      {over && (
        <span class="lk-review-over" role="alert" data-testid="review-reason-long">
          {say("tooLong", { n: length, most: REASON.part })}
        </span>
      )}
    </span>
  );
}
