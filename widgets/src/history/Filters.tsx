// What of a history is shown.
import { useEffect, useRef, useState } from "preact/hooks";
import { useAsked } from "../kit/asked.ts";
import { Button, Choice } from "../kit/kit.tsx";
import { local } from "../kit/time.ts";
import { useSay } from "../shell.tsx";
import { word } from "./saying.ts";
import type { Look } from "./shapes.ts";
import type { HistoryStore, Range } from "./store.ts";
import { WORDS } from "./words.ts";

const PAUSE = 250;
const LINES = ["all", "work", "drafts"] as const;
const LINE_WORDS = { all: "linesAll", work: "linesWork", drafts: "linesDrafts" } as const;
const QUICK = ["always", "hour", "day", "week", "month", "range"] as const satisfies readonly Range[];

export function Filters({ store }: { store: HistoryStore }) {
  const say = useSay(WORDS);
  const look = store.look.value;
  const overview = store.overview.value;
  const set = (change: { [K in keyof Look]?: Look[K] | undefined }, range?: Range) =>
    store.set(change as Partial<Look>, range);
  return (
    <search class="lk-history-filters" aria-label={say("filters")}>
      <Search value={look.text ?? ""} onChange={(text) => set({ text })} />
      <Choice
        label={say("lines")}
        value={look.lines ?? "all"}
        options={LINES.map((value) => ({ value, label: say(LINE_WORDS[value]), testid: `history-lines-${value}` }))}
        onChange={(lines) => set({ lines })}
      />
      <label>
        {say("actor")}{" "}
        <select
          class="lk-input"
          value={look.actors?.[0] ?? ""}
          data-testid="history-actor"
          onChange={({ currentTarget: { value } }) => set({ actors: value === "" ? undefined : [value] })}
        >
          <option value="">{say("everybody")}</option>
          {(overview?.actors ?? []).map(([kind, name, count]) => (
            <option key={`${kind}:${name}`} value={`${kind}:${name}`}>
              {name} ({say(kind as "person")}, {count})
            </option>
          ))}
        </select>
      </label>
      <label>
        {say("cause")}{" "}
        <select
          class="lk-input"
          value={look.causes?.[0] ?? ""}
          data-testid="history-cause"
          onChange={({ currentTarget: { value } }) => set({ causes: value === "" ? undefined : [value] })}
        >
          <option value="">{say("anything")}</option>
          {(overview?.causes ?? []).map(([cause, count]) => (
            <option key={cause} value={cause}>
              {cause === "changeset" ? `${word(say, "cause", cause)} (${say("agent")})` : word(say, "cause", cause)} (
              {count})
            </option>
          ))}
        </select>
      </label>
      <label>
        {say("when")}{" "}
        <select
          class="lk-input"
          value={store.range.value}
          data-testid="history-range"
          onChange={({ currentTarget: { value } }) => {
            const range = value as Range;
            if (range === "range") set({ since: overview?.first_at, until: undefined }, range);
            else set({ since: undefined, until: undefined }, range);
          }}
        >
          {QUICK.map((range) => (
            <option key={range} value={range}>
              {say(range)}
            </option>
          ))}
        </select>
      </label>
      {store.range.value === "range" && (
        <>
          <Moment label={say("from")} at={look.since} testid="history-from" onChange={(since) => set({ since })} />
          <Moment label={say("to")} at={look.until} testid="history-to" onChange={(until) => set({ until })} />
        </>
      )}
      <Touches value={look.touches ?? ""} onChange={(touches) => set({ touches })} />
      {store.filtered && (
        <Button asks data-testid="history-clear" onClick={() => store.clear()}>
          {say("clear")}
        </Button>
      )}
    </search>
  );
}

/** A field that waits until one has stopped typing. */
function Search({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const say = useSay(WORDS);
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <input
      type="search"
      class="lk-input lk-history-search"
      aria-label={say("search")}
      placeholder={say("search")}
      maxLength={200}
      value={text}
      data-testid="history-search"
      onInput={({ currentTarget: { value: typed } }) => {
        setText(typed);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onChange(typed.trim()), PAUSE);
      }}
    />
  );
}

function Moment(props: {
  label: string;
  at: number | undefined;
  testid: string;
  onChange: (at: number | undefined) => void;
}) {
  return (
    <label>
      {props.label}{" "}
      <input
        type="datetime-local"
        class="lk-input"
        value={local(props.at)}
        data-testid={props.testid}
        onChange={({ currentTarget: { value } }) =>
          props.onChange(value === "" ? undefined : new Date(value).getTime())
        }
      />
    </label>
  );
}

interface Named {
  id: string;
  name: string;
}

/** What was changed: picked page by page, or named by its id. */
function Touches({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const say = useSay(WORDS);
  const [wanted, setWanted] = useState(false);
  const [unit, setUnit] = useState(value.startsWith("un_") ? value : "");
  const [typing, setTyping] = useState(value !== "" && !value.startsWith("un_"));
  const units = useAsked<{ things: Named[] }>("things", wanted || value !== "" ? {} : undefined);
  const objects = useAsked<{ things: Named[] }>("things", unit === "" ? undefined : { unit });
  // taken off from outside, as by "Show everything"; not by choosing to type
  const toType = useRef(false);
  useEffect(() => {
    if (value === "" && !toType.current) {
      setUnit("");
      setTyping(false);
    }
    toType.current = false;
  }, [value]);
  const want = () => setWanted(true);
  return (
    <>
      <label>
        {say("touches")}{" "}
        <select
          class="lk-input"
          value={typing ? "?" : unit}
          data-testid="history-touches"
          onFocus={want}
          onPointerDown={want}
          onChange={({ currentTarget: { value: chosen } }) => {
            toType.current = chosen === "?" && value !== "";
            setTyping(chosen === "?");
            setUnit(chosen === "?" ? "" : chosen);
            onChange(chosen === "?" ? "" : chosen);
          }}
        >
          <option value="">{say("anywhere")}</option>
          {(units.data?.things ?? []).map((thing) => (
            <option key={thing.id} value={thing.id}>
              {thing.name}
            </option>
          ))}
          <option value="?">{say("byId")}</option>
        </select>
      </label>
      {unit !== "" && (
        <select
          class="lk-input"
          aria-label={say("touches")}
          value={value}
          data-testid="history-touches-object"
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          <option value={unit}>{say("wholeUnit")}</option>
          {(objects.data?.things ?? []).map((thing) => (
            <option key={thing.id} value={thing.id}>
              {thing.name}
            </option>
          ))}
        </select>
      )}
      {typing && (
        <input
          class="lk-input lk-code"
          aria-label={say("id")}
          placeholder="bl_0zr4n6yc"
          defaultValue={value}
          maxLength={60}
          data-testid="history-touches-id"
          onChange={(event) => onChange(event.currentTarget.value.trim())}
        />
      )}
    </>
  );
}
