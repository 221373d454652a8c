// What stands before everything else: the work moved on, the workspace is damaged, nobody can decide here.
import { Button, ErrorBox } from "../kit/kit.tsx";
import { useShared } from "../shell.tsx";
import { type Facts, undecided } from "./facts.ts";
import { useCase, useWords } from "./shared.ts";

export function Notices({ facts }: { facts: Facts }) {
  return (
    <div class="lk-review-notices">
      <Errors />
      {undecided(facts) && <Moved facts={facts} />}
      {undecided(facts) && <Damages />}
      {undecided(facts) && <Missing />}
      <Choices />
    </div>
  );
}

/** What failed, and why. */
export function Errors() {
  const about = useCase();
  return (
    <>
      {Object.entries(about.errors.value).map(([doing, error]) => (
        <ErrorBox key={doing} error={error} testid="review-error" />
      ))}
    </>
  );
}

function Moved({ facts }: { facts: Facts }) {
  const say = useWords();
  const { announce } = useShared();
  const about = useCase();
  const now = about.moved.value;
  if (now === undefined) return null;
  const again = async () => {
    await about.load();
    announce(say("looked", { compared: about.facts.value?.compared ?? "" }));
  };
  return (
    <div class="lk-warning lk-review-notice" role="alert" data-testid="review-moved">
      <p>
        <b>{say("movedOn", { from: facts.compared, to: now.head })}</b>
      </p>
      <ul>
        {now.since.map((step) => (
          <li key={step.revision}>
            {say("step", { revision: step.revision, by: step.by, what: step.message || step.cause })}
            {step.units.length > 0 && say("onPages", { pages: step.units.join(", ") })}
          </li>
        ))}
      </ul>
      <Button asks tone="primary" data-testid="review-again" onClick={again}>
        {say("lookAgain")}
      </Button>
    </div>
  );
}

function Damages() {
  const say = useWords();
  const about = useCase();
  const sound = about.sound.value;
  if (sound === undefined || sound.clean) return null;
  return (
    <div class="lk-error lk-review-notice" role="alert" data-testid="review-damaged">
      <p>
        <b>{say("damaged", { n: sound.count })}</b>
      </p>
      <ul>
        {sound.damages.map((item) => (
          <li key={`${item.kind} ${item.id} ${item.message}`}>
            {say("damage", { kind: item.kind, id: item.id, message: item.message })}
            {item.where !== "" && <span> · {item.where}</span>}
            <br />
            {say("remedy", { what: item.remedy })}
          </li>
        ))}
      </ul>
      {sound.count > sound.damages.length && <p>{say("more", { n: sound.count - sound.damages.length })}</p>}
      <Button
        asks
        disabled={about.checking.value !== undefined}
        data-testid="review-check"
        onClick={() => about.check()}
      >
        {say("checkAgain")}
      </Button>
    </div>
  );
}

function Missing() {
  const say = useWords();
  const about = useCase();
  const missing = about.keys.value?.missing;
  if (missing === undefined) return null;
  const enrolled = (missing.ids ?? []).length > 0;
  return (
    <div class="lk-warning lk-review-notice" role="status" data-testid="review-missing">
      <b>{say("missing")}</b>
      <p>{say(enrolled ? "notHere" : "nobody")}</p>
    </div>
  );
}

/** What became of choices that were kept. */
function Choices() {
  const say = useWords();
  const about = useCase();
  const lost = about.lost.value;
  return (
    <>
      {lost > 0 && (
        <p class="lk-warning" role="status" data-testid="review-lost">
          {say("lost", { n: lost })}
        </p>
      )}
      {about.bare.value && (
        <p class="lk-warning" role="status" data-testid="review-bare">
          {say("bare")}
        </p>
      )}
    </>
  );
}
