// Whose proposal it is, what it says of itself, and whose key would decide.
import { useEffect, useMemo } from "preact/hooks";
import { Button } from "../kit/kit.tsx";
import { useShared } from "../shell.tsx";
import { type Facts, undecided } from "./facts.ts";
import { useCase, useWords } from "./shared.ts";

const MINUTE = 60_000;

export function Head({ facts, onHelp }: { facts: Facts; onHelp: () => void }) {
  const say = useWords();
  const { places, only } = facts.contract;
  const opened = [places.join(", "), only.length > 0 ? say("only", { names: only.join(", ") }) : ""].filter(Boolean);
  const compared = undecided(facts) ? facts.compared : facts.before;
  return (
    <header class="lk-review-head" data-testid="review-head">
      <div class="lk-review-title">
        <h3>{say("proposal", { id: facts.proposal })}</h3>
        <span class={`lk-review-state lk-review-${facts.state}`} data-testid="review-state" data-state={facts.state}>
          {say(facts.state)}
        </span>
        <span class="lk-soft">{facts.work}</span>
        <span class="lk-review-push" />
        <KeyChip />
        <Button aria-label={say("keysHelp")} title={say("keysHelp")} data-testid="review-help" onClick={onHelp}>
          ?
        </Button>
      </div>
      {facts.summary !== "" && (
        <p class="lk-review-summary" data-testid="review-summary">
          {facts.summary}
        </p>
      )}
      <p class="lk-soft">
        {say("from", { agent: facts.agent, draft: facts.draft })} · {say("compared", { base: facts.base, compared })}
      </p>
      {opened.length > 0 && (
        <p class="lk-soft" data-testid="review-contract">
          {say("opened", { what: opened.join("; ") })}
        </p>
      )}
      {facts.answers.map((item) => (
        <p key={item.id} class="lk-review-answers" data-testid="review-answers">
          {say("answers", { id: item.id, body: item.body })}
        </p>
      ))}
      {facts.beside.map(({ id, task, agent, state }) => (
        <p key={id} class="lk-soft" data-testid="review-beside">
          {say("beside", { id, task, agent, state: say(`candidate_${state}`) })}
        </p>
      ))}
    </header>
  );
}

/** The key that is unlocked, for as long as it is. */
function KeyChip() {
  const { announce } = useShared();
  const say = useWords();
  const about = useCase();
  const keys = about.keys.value;
  const held = keys?.mine.find((item) => item.key === keys.held);
  useEffect(() => {
    if (held === undefined) return;
    const timer = setInterval(() => void about.readKeys(), MINUTE);
    return () => clearInterval(timer);
  }, [about, held]);
  const minutes = useMemo(() => Math.ceil((keys?.left ?? 0) / 60), [keys]);
  if (held === undefined) return null;
  return (
    <span class="lk-review-key" data-testid="review-key-held">
      {say("keyOf", { name: held.name })}
      {held.demo && <b> ({say("demo")})</b>}: {say("unlockedFor", { n: minutes })}
      <Button
        asks
        data-testid="review-lock"
        onClick={async () => {
          await about.lock();
          announce(say("nowLocked"));
        }}
      >
        {say("lockNow")}
      </Button>
    </span>
  );
}
