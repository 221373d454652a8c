// What lies between two revisions, in words by unit; a page of units at a time.
import { useEffect, useState } from "preact/hooks";
import { useAsked, useDeed, useLife } from "../kit/asked.ts";
import { Button, ProgressBar } from "../kit/kit.tsx";
import { useSay, useShared } from "../shell.tsx";
import type { DifferencePage, UnitWords } from "./shapes.ts";
import { Trouble } from "./Trouble.tsx";
import { WORDS } from "./words.ts";

const UNITS = 10;
const SENTENCES = 50;

interface DifferenceProps {
  before: string;
  after: string;
  /** what has come so far */
  onUnits?: (units: UnitWords[], total: number) => void;
  chosen?: string;
  onChoose?: (unit: string) => void;
}

export function Difference({ before, after, onUnits, chosen, onChoose }: DifferenceProps) {
  const say = useSay(WORDS);
  const { link } = useShared();
  const [units, setUnits] = useState<UnitWords[]>([]);
  const deed = useDeed();
  const life = useLife();
  const first = useAsked<DifferencePage>("difference", { before, after, start: 0, count: UNITS });
  const { data } = first;
  useEffect(() => {
    setUnits(data?.units ?? []);
    deed.forget();
  }, [data]);
  useEffect(() => {
    if (data !== undefined) onUnits?.(units.length === 0 ? data.units : units, data.total);
  }, [units, data]);
  if (first.error !== undefined) return <Trouble error={first.error} testid="history-difference-error" />;
  if (data === undefined) {
    const progress = first.progress && { ...first.progress, words: say("working") };
    return (
      <ProgressBar progress={progress ?? (first.busy ? { done: 0, total: 0, words: say("working") } : undefined)} />
    );
  }
  const ask = (args: Record<string, unknown>, take: (answer: never) => void) =>
    deed.run(async () => {
      take((await link.ask("difference", { before, after, ...args }, { signal: life })).data as never);
    });
  const more = () =>
    ask({ start: units.length, count: UNITS }, (page: DifferencePage) => setUnits([...units, ...page.units]));
  const further = (unit: UnitWords) =>
    ask({ unit: unit.unit, start: unit.sentences.length, count: SENTENCES }, (page: UnitWords) =>
      setUnits((all) =>
        all.map((one) => (one.unit === unit.unit ? { ...one, sentences: [...one.sentences, ...page.sentences] } : one)),
      ),
    );
  if (data.total === 0) return <p class="lk-soft">{say("same")}</p>;
  return (
    <div class="lk-history-difference" data-testid="history-difference">
      <p class="lk-soft">{say("totals", { changes: data.changes, total: data.total })}</p>
      <UnitList units={units} chosen={chosen} onChoose={onChoose} onFurther={(unit) => void further(unit)} />
      {units.length < data.total && (
        <Button asks data-testid="history-more-units" onClick={() => void more()}>
          {say("more", { n: data.total - units.length })}
        </Button>
      )}
      <Trouble error={deed.error} />
    </div>
  );
}

interface UnitListProps {
  units: readonly UnitWords[];
  chosen?: string | undefined;
  onChoose?: ((unit: string) => void) | undefined;
  onFurther?: (unit: UnitWords) => void;
}

export function UnitList({ units, chosen, onChoose, onFurther }: UnitListProps) {
  const say = useSay(WORDS);
  return (
    <ul class="lk-history-units">
      {units.map((unit) => (
        <li key={unit.unit} data-testid="history-unit" data-unit={unit.unit}>
          {onChoose === undefined ? (
            <h4>{unit.title}</h4>
          ) : (
            <h4>
              <button
                type="button"
                class="lk-history-link"
                aria-pressed={chosen === unit.unit}
                title={say("look", { title: unit.title })}
                onClick={() => onChoose(unit.unit)}
              >
                {unit.title}
              </button>
            </h4>
          )}
          <ul class="lk-history-sentences">
            {unit.sentences.map((sentence, at) => (
              <li key={at}>{sentence}</li>
            ))}
          </ul>
          {unit.sentences.length < unit.count &&
            (onFurther === undefined ? (
              <p class="lk-soft">{say("andMore", { n: unit.count - unit.sentences.length })}</p>
            ) : (
              <Button asks onClick={() => onFurther(unit)} data-testid="history-more-sentences">
                {say("moreSentences", { n: unit.count - unit.sentences.length })}
              </Button>
            ))}
        </li>
      ))}
    </ul>
  );
}
