// What was decided: the signed verdict, what it left out and why, its certificate, and what waits next.
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useDeed } from "../kit/asked.ts";
import { loose } from "../kit/focus.ts";
import { Button, ErrorBox } from "../kit/kit.tsx";
import { type Facts, undecided, type Verdict } from "./facts.ts";
import { revisionOf, useCase, useWords, when } from "./shared.ts";

const TITLES = { apply: "decidedApply", keep: "decidedKeep", discard: "decidedDiscard" } as const;

export function Decided({ facts }: { facts: Facts }) {
  const say = useWords();
  const about = useCase();
  const last = facts.verdicts.at(-1);
  const earlier = facts.verdicts.slice(0, -1);
  const section = useRef<HTMLElement>(null);
  // who decided goes on from here: the button that was pressed may be gone
  const given = about.given.value;
  useLayoutEffect(() => {
    if (given > 0 && loose(section.current?.closest(".lk-review"))) section.current?.focus();
  }, [given]);
  if (undecided(facts) && last === undefined) return null;
  return (
    <section
      class="lk-review-card lk-review-decided"
      ref={section}
      tabIndex={-1}
      data-testid="review-decided"
      data-state={facts.state}
    >
      {facts.state === "superseded" && <Superseded facts={facts} />}
      {facts.state === "discarded" && last?.verdict !== "discard" && <p>{say("withDraft")}</p>}
      {last !== undefined && <Signed facts={facts} verdict={last} />}
      {earlier.length > 0 && (
        <details>
          <summary>{say("earlier")}</summary>
          {earlier.map((item) => (
            <p key={item.id}>
              {say(TITLES[item.verdict], { by: item.reviewer })} · {when(item.at)}
              {item.reason !== "" && say("lockReason", { words: item.reason })}
            </p>
          ))}
        </details>
      )}
      <Unsent facts={facts} />
      {!undecided(facts) && <Next facts={facts} />}
    </section>
  );
}

function Superseded({ facts }: { facts: Facts }) {
  const say = useWords();
  const about = useCase();
  if (facts.successor === "") return null;
  return (
    <p data-testid="review-superseded">
      {say("replaced", { id: facts.successor })}{" "}
      <Button asks tone="primary" data-testid="review-open-successor" onClick={() => about.openOther(facts.successor)}>
        {say("openIt", { id: facts.successor })}
      </Button>
    </p>
  );
}

function Signed({ facts, verdict }: { facts: Facts; verdict: Verdict }) {
  const say = useWords();
  const result =
    verdict.result === null ? say("asItWas") : say("savedAs", { number: verdict.result, saved: verdict.saved });
  const rows: [label: string, value: preact.ComponentChildren, testid: string][] = [
    [say("verdict"), verdict.id, "review-verdict-id"],
    [say("time"), when(verdict.at), "review-verdict-time"],
    [say("against"), revisionOf(verdict.compared), "review-verdict-compared"],
    [say("result"), result, "review-verdict-result"],
  ];
  if (verdict.verdict === "apply") rows.push([say("mode"), modeWords(verdict, say), "review-verdict-mode"]);
  if (verdict.reason !== "") rows.push([say("reason"), verdict.reason, "review-verdict-reason"]);
  const valid = verdict.objection === "";
  return (
    <>
      <h4 data-testid="review-verdict">
        {say(TITLES[verdict.verdict], { by: verdict.reviewer })}
        {verdict.demo && <b class="lk-review-demo">{say("demo")}</b>}
      </h4>
      <dl class="lk-review-facts">
        {rows.map(([label, value, testid]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd data-testid={testid}>{value}</dd>
          </div>
        ))}
        <div>
          <dt>{say("signedBy")}</dt>
          <dd class="lk-code" data-testid="review-verdict-key">
            {verdict.key}
          </dd>
        </div>
        <div>
          <dt>{say("signature")}</dt>
          <dd
            class={valid ? "lk-review-valid" : "lk-review-invalid"}
            data-testid="review-verdict-signature"
            data-valid={valid}
          >
            {valid ? say("valid") : say("invalid", { why: verdict.objection })}
          </dd>
        </div>
      </dl>
      {verdict.rejected.length > 0 && (
        <div data-testid="review-rejected">
          <h4>{say("outTitle")}</h4>
          <ul class="lk-review-dots">
            {verdict.rejected.map((item) => (
              <li key={item.id}>
                {item.title !== "" && <span class="lk-soft">{item.title}: </span>}
                {item.words} — <i>{item.reason || say("noReason")}</i>
                {item.because !== "" && (
                  <span class="lk-review-ties">{say("goesWith", { what: called(facts, item.because) })}</span>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      <Certificate verdict={verdict} />
    </>
  );
}

function called(facts: Facts, id: string): string {
  return facts.parts.find((part) => part.id === id)?.words ?? id;
}

function modeWords(verdict: Verdict, say: ReturnType<typeof useWords>): string {
  if (verdict.mode === "merge" || verdict.mode === "overwrite") return say(verdict.mode);
  return say("plain");
}

function Certificate({ verdict }: { verdict: Verdict }) {
  const say = useWords();
  const about = useCase();
  const file = useSignal("");
  const deed = useDeed();
  const write = () =>
    deed.run(async () => {
      file.value = await about.exported(verdict.id);
    });
  return (
    <div class="lk-bar">
      <Button asks data-testid="review-export" onClick={write}>
        {say("export")}
      </Button>
      {file.value !== "" && (
        <span role="status" data-testid="review-exported">
          {say("exported", { file: file.value })}
        </span>
      )}
      <ErrorBox error={deed.error} testid="review-export-error" />
    </div>
  );
}

/** What was chosen when somebody else decided. */
function Unsent({ facts }: { facts: Facts }) {
  const say = useWords();
  const about = useCase();
  const unsent = Object.entries(about.unsent.value);
  const why = about.why.value;
  if (undecided(facts) || (unsent.length === 0 && why === "")) return null;
  return (
    <div class="lk-warning" data-testid="review-unsent">
      <p>{say("unsent")}</p>
      <ul class="lk-review-dots">
        {unsent.map(([id, reason]) => (
          <li key={id}>
            {called(facts, id)}
            {reason !== "" && <i> — {reason}</i>}
          </li>
        ))}
        {why !== "" && <li>{say("unsentWhy", { words: why })}</li>}
      </ul>
    </div>
  );
}

function Next({ facts }: { facts: Facts }) {
  const say = useWords();
  const about = useCase();
  const { next } = facts;
  if (next === null) return <p class="lk-soft">{say("nothingWaits")}</p>;
  const summary = next.summary === "" ? "" : say("lockReason", { words: next.summary });
  return (
    <p data-testid="review-next">
      {say("waits", { id: next.proposal, agent: next.agent, summary })}{" "}
      <Button asks tone="primary" data-testid="review-open" onClick={() => about.openOther(next.proposal)}>
        {say("openIt", { id: next.proposal })}
      </Button>
    </p>
  );
}
