// The page before and after, in one of five ways, with marks over what changed.
import { useComputed } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useAsked } from "../kit/asked.ts";
import { Button, Choice, ErrorBox, UnitChooser } from "../kit/kit.tsx";
import { Refused } from "../link.ts";
import { COMPARISONS, type Mark } from "../viewer/sheet.ts";
import { Viewer, type ViewerHandle } from "../viewer/Viewer.tsx";
import type { Case } from "./case.ts";
import { type Facts, undecided } from "./facts.ts";
import { aside, MOST, marksOf, placeOf, type Sides } from "./marks.ts";
import { useCase, useWords } from "./shared.ts";
import { useSheet } from "./sheets.ts";
import { useRegions, Walking } from "./Walking.tsx";

export function Compare({ facts }: { facts: Facts }) {
  const say = useWords();
  const about = useCase();
  const unit = about.look.unit.value;
  const here = facts.units.find((item) => item.unit === unit);
  const source = about.source.value;
  const outcome = source.startsWith("taking:");
  const was = useSheet(`r${facts.before}`, unit, here?.before === true, undefined);
  const is = useSheet(
    source,
    unit,
    here !== undefined && (here.after || outcome || facts.state === "applied"),
    undefined,
  );
  const sides: Sides = { before: was.sheet, after: is.sheet };
  const viewer = useRef<ViewerHandle | null>(null);
  const modes = useMemo(
    () => COMPARISONS.map((value, at) => ({ value, label: `${at + 1} ${say(value)}`, testid: `review-mode-${value}` })),
    [say],
  );
  useRetry(about, is.error);
  useFlight(about, sides, viewer);
  const marks = useMarks(about, facts, unit, sides);
  const shown = is.sheet ?? was.sheet;
  const pair = was.sheet && is.sheet ? was.sheet : null;
  const object = useComputed(() => {
    const part = about.part(about.look.hovered.value || about.look.selected.value);
    return part?.unit === about.look.unit.value ? part.object : undefined;
  }).value;
  const regions = useRegions(about, facts, unit, source, sides, viewer);
  const list = useMemo(() => regions ?? aside(marks.list, object), [regions, marks.list, object]);
  return (
    <section class="lk-review-compare" data-testid="review-compare" data-unit={unit} data-source={source}>
      <div class="lk-bar">
        <Pages facts={facts} />
        <Choice
          label={say("how")}
          value={about.look.compare.value}
          options={modes}
          onChange={(mode) => about.look.compareBy(mode)}
          testid="review-modes"
        />
        {undecided(facts) && unit !== "" && <After />}
        {unit !== "" && <Walking />}
      </div>
      <ErrorBox error={was.error} testid="review-sheet-error" />
      {!isOld(is.error) && <ErrorBox error={is.error} testid="review-sheet-error" />}
      {shown ? (
        <Viewer
          sheet={shown}
          against={pair}
          mode={about.look.compare.value}
          names={{ against: say("before", { number: facts.before }), sheet: named(facts, source, say) }}
          marks={list}
          selected={object}
          handle={viewer}
          label={shown.title}
          onSelect={(thing) => {
            const part = facts.parts.find((item) => item.unit === unit && item.object === thing?.id);
            about.look.selected.value = part?.id ?? "";
          }}
          onHover={(thing) => {
            about.look.pointed.value = thing?.id ?? "";
          }}
        />
      ) : (
        <p class="lk-review-blank lk-soft" role="status">
          {say(unit === "" ? "noPages" : is.sheet === null && was.sheet === null ? "nowhere" : "drawing")}
        </p>
      )}
      <Remarks facts={facts} unit={unit} source={source} sides={sides} tooMany={marks.tooMany} />
    </section>
  );
}

function named(facts: Facts, source: string, say: ReturnType<typeof useWords>): string {
  if (source.startsWith("taking:")) return say("afterOutcome");
  if (facts.state === "applied") return say("afterMade", { number: source.slice(1) });
  return say("afterProposed");
}

function isOld(error: unknown): boolean {
  return error instanceof Refused && (error.refusal.ids?.[0] ?? "").startsWith("taking:");
}

/** An outcome that was looked at too long ago is weighed again. */
function useRetry(about: Case, error: unknown): void {
  useEffect(() => {
    if (isOld(error)) about.weighAgain();
  }, [about, error]);
}

/** Fly to where somebody wants to look, as soon as it is drawn. */
function useFlight(about: Case, sides: Sides, viewer: { current: ViewerHandle | null }): void {
  const target = about.look.target.value;
  const { before, after } = sides;
  useEffect(() => {
    if (target === undefined) return;
    if (after === null && before === null) about.look.target.value = undefined;
    if (viewer.current === null) return;
    const shown = after ?? before;
    if (shown?.unit !== target.unit || before === undefined || after === undefined) return;
    about.look.target.value = undefined;
    const place = target.object === "" ? undefined : placeOf({ before, after }, target.object);
    if (place === undefined) viewer.current.fit();
    else viewer.current.flyTo(place, target.unit);
  }, [about, target, before, after, viewer]);
}

function useMarks(about: Case, facts: Facts, unit: string, sides: Sides): { list: Mark[]; tooMany: boolean } {
  const out = about.out.value;
  const { before, after } = sides;
  const all = useMemo(() => {
    const parts = facts.parts.filter((part) => part.unit === unit && part.object !== unit);
    return marksOf(parts, { before, after }, out, (id) => {
      about.look.selected.value = id;
    });
  }, [about, facts, unit, before, after, out]);
  const tooMany = all.length > MOST;
  const few = useComputed(() => {
    const wanted = [about.look.hovered.value, about.look.selected.value].map((id) => about.part(id)?.object);
    return wanted.filter((object) => object !== undefined).join(" ");
  }).value;
  return useMemo(() => {
    if (!tooMany) return { list: all, tooMany };
    const wanted = new Set(few.split(" "));
    return { list: all.filter((mark) => wanted.has(mark.id.split("/")[0] ?? "")), tooMany };
  }, [all, tooMany, few]);
}

function Pages({ facts }: { facts: Facts }) {
  const say = useWords();
  const about = useCase();
  const units = facts.units.filter((item) => item.before || item.after);
  const at = units.findIndex((item) => item.unit === about.look.unit.value);
  if (units.length === 0) return null;
  return (
    <span class="lk-review-pages">
      <Button
        aria-label={say("previous")}
        title={say("previous")}
        disabled={at <= 0}
        data-testid="review-page-previous"
        onClick={() => about.look.turn(-1)}
      >
        ‹
      </Button>
      <UnitChooser
        label={say("page")}
        value={about.look.unit.value}
        units={units}
        testid="review-page"
        onChoose={(unit) => about.look.show(unit, "")}
      />
      <Button
        aria-label={say("next")}
        title={say("next")}
        disabled={at >= units.length - 1}
        data-testid="review-page-next"
        onClick={() => about.look.turn(1)}
      >
        ›
      </Button>
    </span>
  );
}

/** What stands after the comparison: the frozen proposal, or the work as it would be. */
function After() {
  const say = useWords();
  const about = useCase();
  const value = about.source.value.startsWith("taking:") ? "outcome" : "proposed";
  return (
    <Choice
      label={say("what")}
      value={value}
      options={[
        { value: "proposed", label: say("proposed"), testid: "review-after-proposed" },
        { value: "outcome", label: say("wouldBe"), testid: "review-after-outcome" },
      ]}
      onChange={(after) => about.look.standAfter(after)}
      testid="review-after"
    />
  );
}

interface Pair {
  alike: boolean;
  missing: string[];
}

function Remarks(props: { facts: Facts; unit: string; source: string; sides: Sides; tooMany: boolean }) {
  const say = useWords();
  const { facts, unit, source, sides, tooMany } = props;
  const { before, after } = sides;
  const asked = { against: `r${facts.before}`, source, unit };
  const pair = useAsked<Pair>("pair", before && after ? asked : undefined).data; // the sheets say what is wrong
  const outcome = useCase().outcome.value;
  const untouched = source.startsWith("taking:") && outcome !== undefined && !outcome.units.includes(unit);
  const lacking = pair?.missing ?? [];
  const missing = lacking.length > 0 ? lacking : [...new Set([...(before?.missing ?? []), ...(after?.missing ?? [])])];
  return (
    <div class="lk-review-remarks" role="status">
      {before === null && after && <p data-testid="review-new-page">{say("comes")}</p>}
      {after === null && before && <p data-testid="review-gone-page">{say("goes")}</p>}
      {pair?.alike && <p data-testid="review-unseen">{say(untouched ? "untouched" : "unseen")}</p>}
      {missing.length > 0 && (
        <p class="lk-warning" data-testid="review-pictures-lost">
          {say("lostPictures", { n: missing.length, names: missing.join(", ") })}
        </p>
      )}
      {tooMany && <p data-testid="review-many-marks">{say("tooMany")}</p>}
    </div>
  );
}
