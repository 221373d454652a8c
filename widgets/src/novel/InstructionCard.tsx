// One instruction: what was asked for, what came of it and where, and what its author may say to a conflict.
import { Button } from "../kit/kit.tsx";
import { useSay } from "../shell.tsx";
import type { Instruction } from "./facts.ts";
import { Jump } from "./Jump.tsx";
import { useFigures, useStory } from "./shared.ts";
import { WORDS } from "./words.ts";

const SHORT = 360;

export function InstructionCard({ item }: { item: Instruction }) {
  const story = useStory();
  const say = useSay(WORDS);
  const { when, list } = useFigures();
  const { id, sequence } = item;
  const long = item.text.length > SHORT;
  return (
    <li
      class="lk-novel-card"
      data-testid="novel-instruction"
      data-state={item.state}
      data-sequence={sequence}
      data-id={id}
    >
      <div class="lk-novel-cardhead">
        <span class={`lk-novel-state lk-novel-${item.state}`} data-testid="novel-instruction-state">
          {say(item.state)}
        </span>
        <strong>{sequence}.</strong>
        {item.state === "applied" && (
          <span class="lk-soft" data-testid="novel-in-force" data-force={item.in_force}>
            {say(item.in_force ? "in_force" : "no_longer")}
          </span>
        )}
        <span class="lk-soft">
          {item.source === "instruction"
            ? ""
            : item.source === "creation"
              ? say("creation")
              : say(item.source, { n: item.answers ?? "" })}
        </span>
      </div>
      {long ? (
        <details>
          <summary dir="auto">
            {item.text.slice(0, SHORT)}… <span class="lk-soft">({say("whole")})</span>
          </summary>
          <blockquote class="lk-novel-words" dir="auto">
            {item.text}
          </blockquote>
        </details>
      ) : (
        <blockquote class="lk-novel-words" dir="auto">
          {item.text}
        </blockquote>
      )}
      <p class="lk-soft">
        {say("by", { who: item.by, when: when(item.at) })}
        {item.during !== null && ` · ${say("during", { n: item.during })}`}
      </p>
      <Effect item={item} />
      {item.conflict !== null && (
        <div class="lk-novel-conflict" data-solved={item.state !== "blocked"} data-testid="novel-conflict">
          <p>
            <strong>{say("why_blocked")}</strong> <span dir="auto">{item.conflict.reason}</span>
          </p>
          {item.conflict.places.map((place) => (
            <Jump key={`${place.commit}:${place.paragraph}`} place={place} testid="novel-conflict-place" />
          ))}
          {item.conflict.solved_by !== null && <p>{say("solved", { n: item.conflict.solved_by })}</p>}
        </div>
      )}
      {item.answered.length > 0 && <p>{say("answered", { list: list(item.answered) })}</p>}
      {item.may.length > 0 && (
        <div class="lk-bar">
          {item.may.includes("clarification") && (
            <Button
              asks
              aria-label={say("clarify_no", { n: sequence })}
              data-testid="novel-clarify"
              onClick={() => story.about({ id, sequence, as: "clarification" })}
            >
              {say("clarify")}
            </Button>
          )}
          {item.may.includes("withdrawal") && (
            <Button
              asks
              aria-label={say("withdraw_no", { n: sequence })}
              data-testid="novel-withdraw"
              onClick={() => story.about({ id, sequence, as: "withdrawal" }, say("withdraw_text"))}
            >
              {say("withdraw")}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

/** Where it takes effect, or took. */
function Effect({ item }: { item: Instruction }) {
  const say = useSay(WORDS);
  const { takes, outcome } = item;
  if (takes !== null) {
    const when = takes.when === "next" ? "soon" : takes.when;
    return (
      <p class="lk-novel-takes" data-testid="novel-takes" data-when={takes.when}>
        {say(when, { n: takes.unit ?? "" })}
      </p>
    );
  }
  if (outcome === null) return null;
  const where = [
    say("in_revision", { n: outcome.revision }),
    item.state === "superseded"
      ? say("replaced", { n: outcome.superseded_by ?? "" })
      : outcome.effective !== null
        ? say("from_chapter", { title: outcome.effective.title })
        : outcome.first === null
          ? say("from_next")
          : "",
  ];
  return (
    <div class="lk-novel-takes" data-testid="novel-outcome">
      <p dir="auto">{where.filter(Boolean).join(" · ")}</p>
      {item.replaced_by !== null && <p>{say("replaced_since", { n: item.replaced_by })}</p>}
      {outcome.note && <p dir="auto">{outcome.note}</p>}
      {outcome.first !== null && item.state === "applied" && (
        <Jump place={{ ...outcome.first, quote: "" }} label={say("see_first")} testid="novel-first" />
      )}
    </div>
  );
}
