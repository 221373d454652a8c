// Any two revisions: what differs in words, and the pages of both in one viewer.
import { useEffect, useState } from "preact/hooks";
import { useAsked } from "../kit/asked.ts";
import { Button, Choice, UnitChooser } from "../kit/kit.tsx";
import { useSay } from "../shell.tsx";
import { COMPARISONS, type Comparison, type Sheet } from "../viewer/sheet.ts";
import { Viewer } from "../viewer/Viewer.tsx";
import { Difference } from "./Difference.tsx";
import type { UnitWords } from "./shapes.ts";
import type { HistoryStore } from "./store.ts";
import { Trouble } from "./Trouble.tsx";
import { WORDS } from "./words.ts";

export function Compare({
  store,
  unit,
  onUnit,
}: {
  store: HistoryStore;
  unit: string;
  onUnit: (unit: string) => void;
}) {
  const say = useSay(WORDS);
  const [a, b] = [store.a.value, store.b.value];
  const [mode, setMode] = useState<Comparison>("side");
  const [units, setUnits] = useState<UnitWords[]>([]);
  useEffect(() => setUnits([]), [a, b]);
  const pages = units.filter((one) => one.before || one.after);
  const chosen = pages.find((one) => one.unit === unit) ?? pages[0];
  return (
    <section class="lk-history-compare" data-testid="history-compare">
      <div class="lk-bar">
        <Marked store={store} which="a" />
        <Button
          disabled={a === "" && b === ""}
          title={say("swap")}
          aria-label={say("swap")}
          data-testid="history-swap"
          onClick={() => store.compare(b, a)}
        >
          ⇄
        </Button>
        <Marked store={store} which="b" />
        <Button disabled={a === "" && b === ""} onClick={() => store.compare("", "")} data-testid="history-unmark">
          {say("clearMarks")}
        </Button>
      </div>
      {a === "" || b === "" ? (
        <p class="lk-soft lk-history-hint">{say("compareHint")}</p>
      ) : (
        <>
          {chosen !== undefined && (
            <>
              <div class="lk-bar">
                <Choice
                  label={say("mode")}
                  value={mode}
                  options={COMPARISONS.map((value) => ({ value, label: say(value), testid: `history-mode-${value}` }))}
                  onChange={setMode}
                />
                {pages.length > 1 && (
                  <UnitChooser
                    label={say("page")}
                    value={chosen.unit}
                    units={pages}
                    testid="history-compare-unit"
                    onChoose={onUnit}
                  />
                )}
              </div>
              <Sides a={a} b={b} unit={chosen} mode={mode} />
            </>
          )}
          <h4>{say("fromTo", { a, b })}</h4>
          <Difference before={a} after={b} onUnits={setUnits} chosen={chosen?.unit ?? ""} onChoose={onUnit} />
        </>
      )}
    </section>
  );
}

function Marked({ store, which }: { store: HistoryStore; which: "a" | "b" }) {
  const id = store[which].value;
  return (
    <span class="lk-history-slot">
      <b class="lk-history-ab">{which.toUpperCase()}</b>{" "}
      {id === "" ? (
        "—"
      ) : (
        <button type="button" class="lk-history-link lk-code" onClick={() => void store.go(id)}>
          {id}
        </button>
      )}
    </span>
  );
}

function Sides({ a, b, unit, mode }: { a: string; b: string; unit: UnitWords; mode: Comparison }) {
  const say = useSay(WORDS);
  const [again, setAgain] = useState(0);
  const old = useAsked<Sheet>("sheet", unit.before ? { source: a, unit: unit.unit } : undefined, again);
  const fresh = useAsked<Sheet>("sheet", unit.after ? { source: b, unit: unit.unit } : undefined, again);
  const error = old.error ?? fresh.error;
  if (error !== undefined) return <Trouble error={error} testid="history-sheet-error" />;
  const sheet = fresh.data ?? (unit.after ? undefined : old.data);
  const against = unit.before && unit.after ? old.data : null;
  return (
    <>
      {unit.before !== unit.after && (
        <p class="lk-warning">{say("onlyIn", { title: unit.title, id: unit.before ? a : b })}</p>
      )}
      <div class="lk-history-stage">
        {sheet !== undefined && against !== undefined && (
          <Viewer
            sheet={sheet}
            against={against}
            mode={mode}
            names={{ sheet: b, against: a }}
            label={`${unit.title}: ${a}, ${b}`}
            onStale={() => setAgain(again + 1)}
          />
        )}
      </div>
    </>
  );
}
