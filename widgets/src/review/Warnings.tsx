// What a person should know before deciding: faults, locks, what would be overwritten, what conflicts, what people made.
import { useComputed, useSignal } from "@preact/signals";
import { Button, ErrorBox } from "../kit/kit.tsx";
import { Refused } from "../link.ts";
import type { Refusal } from "../protocol.ts";
import { type Facts, type Fault, isNothing, type Met, type Outcome, undecided, type Way } from "./facts.ts";
import { useCase, useWords, type Words, when } from "./shared.ts";

const FEW = 8;

export function Warnings({ facts }: { facts: Facts }) {
  const about = useCase();
  const outcome = about.outcome.value;
  const open = undecided(facts);
  return (
    <div class="lk-review-cards">
      {open && <Refusals facts={facts} outcome={outcome} />}
      {open && outcome !== undefined && outcome.locks.length > 0 && <Locks facts={facts} outcome={outcome} />}
      {open && outcome?.modes.includes("merge") && <Meeting outcome={outcome} />}
      <Faults facts={facts} outcome={open ? outcome : undefined} />
      {open && facts.touches.length > 0 && <Touches facts={facts} />}
    </div>
  );
}

/** Why it cannot be applied with these choices at all. */
function Refusals({ facts, outcome }: { facts: Facts; outcome: Outcome | undefined }) {
  const say = useWords();
  const about = useCase();
  const unweighed = about.unweighed.value;
  if (isNothing(unweighed)) {
    return (
      <p class="lk-warning" role="alert" data-testid="review-nothing">
        {say("nothing")}
      </p>
    );
  }
  if (unweighed !== undefined) return <ErrorBox error={unweighed} testid="review-unweighed" />;
  const refused: Refusal | null | undefined = outcome?.refused;
  if (!refused || facts.parts.length === 0) return null;
  return (
    <div data-testid="review-refused">
      <p>
        <b>{say("refused")}</b>
      </p>
      <ErrorBox error={new Refused(refused)} testid="review-refused-why" />
    </div>
  );
}

function Locks({ facts, outcome }: { facts: Facts; outcome: Outcome }) {
  const say = useWords();
  const about = useCase();
  return (
    <section class="lk-review-card lk-review-bad" data-testid="review-locks">
      <h4>{say("locks")}</h4>
      <ul>
        {outcome.locks.map((lock) => {
          const parts = facts.parts.filter((part) => [part.object, part.unit, facts.chapter].includes(lock.object));
          const reason = lock.reason === "" ? "" : say("lockReason", { words: lock.reason });
          return (
            <li key={lock.object}>
              <Place unit={lock.unit} object={lock.object} title={lock.title}>
                {say("lockWords", { what: lock.name, by: lock.by, reason })}
              </Place>
              <span class="lk-soft">{say("lockHelp", { id: lock.object })}</span>
              {parts.length > 0 && (
                <Button
                  data-testid="review-leave-out"
                  onClick={() => {
                    const ids = parts.map((part) => part.id);
                    about.take(ids, false);
                  }}
                >
                  {say("leaveOut")}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** How a proposal meets a work that moved on. */
function Meeting({ outcome }: { outcome: Outcome }) {
  const say = useWords();
  const about = useCase();
  const ways: readonly Way[] = ["merge", "overwrite"];
  return (
    <section class="lk-review-card lk-review-careful" data-testid="review-meeting">
      <h4>{say("overwriteTitle")}</h4>
      <p class="lk-soft">{outcome.overwrites.map((item) => item.title).join(", ")}</p>
      <fieldset class="lk-review-ways">
        <legend class="lk-unseen">{say("overwriteHow")}</legend>
        {ways.map((way) => (
          <label key={way}>
            <input
              type="radio"
              name="lk-review-way"
              value={way}
              checked={outcome.mode === way}
              data-testid={`review-way-${way}`}
              onChange={() => about.meet(way)}
            />{" "}
            <b>{say(way)}</b>: {say(`${way}Words`)}
          </label>
        ))}
      </fieldset>
      <div data-testid="review-overwritten">
        {outcome.overwritten.length === 0 && <p class="lk-soft">{say("undoesNothing")}</p>}
        {outcome.overwritten.map((item) => (
          <div key={item.unit}>
            <p>{say("wouldUndo", { title: item.title || say("chapter") })}</p>
            <ul class="lk-review-dots">
              {item.sentences.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
            <p class="lk-soft">
              {item.by
                .map(({ by, revision, message }) =>
                  say("madeBy", { by, revision, message: message === "" ? "" : say("quoted", { words: message }) }),
                )
                .join("; ")}
            </p>
          </div>
        ))}
      </div>
      {outcome.conflicts.length > 0 && <Conflicts conflicts={outcome.conflicts} />}
    </section>
  );
}

function Conflicts({ conflicts }: { conflicts: Met[] }) {
  const say = useWords();
  return (
    <div data-testid="review-conflicts-before">
      <p>
        <b>{say("meets", { n: conflicts.length })}</b>
      </p>
      <p class="lk-soft">{say("meetsWords")}</p>
      <ul>
        {conflicts.map((item) => (
          <li key={`${item.object} ${item.property}`}>
            <Place unit={item.unit} object={item.object} title={item.title}>
              {item.name || item.title || say("chapter")}
            </Place>
            <Both ours={item.ours} theirs={item.theirs} say={say} />
          </li>
        ))}
      </ul>
    </div>
  );
}

export function Both({ ours, theirs, say }: { ours: string[]; theirs: string[]; say: Words }) {
  return (
    <dl class="lk-review-both">
      <dt>{say("ours")}</dt>
      <dd>{ours.join("; ") || "–"}</dd>
      <dt>{say("theirs")}</dt>
      <dd>{theirs.join("; ") || "–"}</dd>
    </dl>
  );
}

type Told = Fault & { note: "" | "notTaken" | "fromMeeting" };

/** Faults of the proposal and of the outcome together: what would come, and what would not with these choices. */
function told(facts: Facts, outcome: Outcome | undefined): Told[] {
  if (outcome === undefined || outcome.refused !== null) return facts.faults.map((item) => ({ ...item, note: "" }));
  const name = (item: Fault) => `${item.state} ${item.rule} ${item.object}`;
  const come = new Set(outcome.faults.map(name));
  const known = new Set(facts.faults.map(name));
  return [
    ...facts.faults.map((item): Told => ({ ...item, note: come.has(name(item)) ? "" : "notTaken" })),
    ...outcome.faults
      .filter((item) => !known.has(name(item)))
      .map((item): Told => ({ ...item, note: item.state === "new" ? "fromMeeting" : "" })),
  ];
}

function Faults({ facts, outcome }: { facts: Facts; outcome: Outcome | undefined }) {
  const say = useWords();
  const all = told(facts, outcome);
  const list = (state: Fault["state"]) => all.filter((item) => item.state === state);
  const [fresh, healed] = [list("new"), list("healed")];
  return (
    <section class="lk-review-card" data-testid="review-faults">
      <h4>{fresh.length === 0 ? say("noFaults") : say("faults")}</h4>
      <Found faults={fresh} />
      {healed.length > 0 && (
        <>
          <h4>{say("healed")}</h4>
          <Found faults={healed} />
        </>
      )}
    </section>
  );
}

function Found({ faults }: { faults: Told[] }) {
  const say = useWords();
  if (faults.length === 0) return null;
  return (
    <Folded all={faults}>
      {(item) => (
        <li key={`${item.rule} ${item.object} ${item.note}`} data-testid="review-fault" data-state={item.state}>
          <Place unit={item.unit} object={item.object} title={item.title}>
            <span class={item.note === "notTaken" ? "lk-review-out" : ""}>{item.message}</span>
          </Place>
          {item.note !== "" && <span class="lk-review-flag">{say(item.note)}</span>}
        </li>
      )}
    </Folded>
  );
}

function Touches({ facts }: { facts: Facts }) {
  const say = useWords();
  return (
    <section class="lk-review-card" data-testid="review-touches">
      <h4>{say("touches")}</h4>
      <Folded all={facts.touches}>
        {(item) => {
          const what = item.name || item.title || say("chapter");
          const names = item.properties.join(", ");
          const message = item.message === "" ? "" : say("quoted", { words: item.message });
          return (
            <li key={item.object}>
              <Place unit={item.unit} object={item.object} title={item.title}>
                {names === ""
                  ? say("touchMade", { by: item.by, what, revision: item.revision })
                  : say("touchChanged", { by: item.by, what, names, revision: item.revision })}
                {message}
              </Place>
              <span class="lk-soft lk-review-when">{when(item.at)}</span>
            </li>
          );
        }}
      </Folded>
      {facts.more_touches > 0 && <p class="lk-soft">{say("more", { n: facts.more_touches })}</p>}
    </section>
  );
}

/** Some of many, until all are wanted. */
function Folded<T>({ all, children }: { all: readonly T[]; children: (item: T) => preact.JSX.Element }) {
  const say = useWords();
  const whole = useSignal(false);
  const shown = whole.value ? all : all.slice(0, FEW);
  return (
    <>
      <ul>{shown.map(children)}</ul>
      {shown.length < all.length && (
        <Button
          onClick={() => {
            whole.value = true;
          }}
        >
          {say("showAll", { n: all.length })}
        </Button>
      )}
    </>
  );
}

/** Words that lead to their place on a page, where there is one. */
export function Place(props: { unit: string; object: string; title: string; children: preact.ComponentChildren }) {
  const about = useCase();
  const { unit, object, title, children } = props;
  const there = useComputed(
    () => about.facts.value?.units.some((item) => item.unit === unit && (item.before || item.after)) === true,
  ).value;
  const words = (
    <>
      {title !== "" && <span class="lk-soft">{title}: </span>}
      {children}
    </>
  );
  if (!there) return <span>{words}</span>;
  return (
    <button
      type="button"
      class="lk-review-place"
      data-testid="review-place"
      data-object={object}
      onClick={() => {
        const part = about.facts.value?.parts.find((item) => item.unit === unit && item.object === object);
        about.look.selected.value = part?.id ?? "";
        about.look.show(unit, object === unit ? "" : object);
      }}
    >
      {words}
    </button>
  );
}
