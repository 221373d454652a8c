// All that is known of the selected revision, and what can be done from it.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useAsked } from "../kit/asked.ts";
import { Button, ProgressBar } from "../kit/kit.tsx";
import { ago, exact } from "../kit/time.ts";
import { useSay, useShared } from "../shell.tsx";
import { Difference } from "./Difference.tsx";
import { Pictures } from "./Pictures.tsx";
import { saidMark, word } from "./saying.ts";
import type { Facts, UnitWords, VerdictFacts } from "./shapes.ts";
import type { HistoryStore } from "./store.ts";
import { Trouble } from "./Trouble.tsx";
import { WORDS } from "./words.ts";

const PAUSE = 120;

interface DetailProps {
  store: HistoryStore;
  onRestore: (revision: string) => void;
  onPick: (revision: string) => void;
  onLook: (before: string, after: string, unit: string) => void;
}

export function Detail({ store, onRestore, onPick, onLook }: DetailProps) {
  const say = useSay(WORDS);
  const { language } = useShared();
  const id = store.selected.value;
  const stamp = store.overview.value?.stamp;
  const asked = useAsked<Facts>("revision", id === "" ? undefined : { revision: id }, stamp, PAUSE);
  const [units, setUnits] = useState<{ of: string; units: UnitWords[] }>({ of: "", units: [] });
  if (id === "") return <p class="lk-soft lk-history-hint">{say("choose")}</p>;
  if (asked.error !== undefined) return <Trouble error={asked.error} testid="history-detail-error" />;
  const facts = asked.data;
  if (facts === undefined) return <ProgressBar progress={{ done: 0, total: 0, words: say("loading") }} />;
  const row = store.row.value;
  const run = row?.id === id && row.run !== undefined && row.run.count > 1 ? row.run : undefined;
  const before = run === undefined ? facts.parent : run.before;
  const head = store.overview.value?.head ?? "";
  const place = store.overview.value?.places[id];
  const contentLost =
    facts.damage !== "" || facts.faults.some((fault) => fault.kind === "content" && !fault.units?.length);
  return (
    <article class="lk-history-detail" data-testid="history-detail" data-revision={id}>
      <h3>
        <span class="lk-code">{run === undefined ? id : `${run.oldest} – ${id}`}</span>{" "}
        {run === undefined ? word(say, "cause", facts.cause) : say("run", { n: run.count })}
      </h3>
      {place === null && store.row.value?.id !== id && <p class="lk-soft">{say("notShown")}</p>}
      {run === undefined && facts.message !== "" && <p class="lk-history-words">{facts.message}</p>}
      <Damage facts={facts} />
      <div class="lk-bar">
        <Button aria-pressed={store.a.value === id} data-testid="history-mark-a" onClick={() => store.mark("a", id)}>
          {say("setA")}
        </Button>
        <Button aria-pressed={store.b.value === id} data-testid="history-mark-b" onClick={() => store.mark("b", id)}>
          {say("setB")}
        </Button>
        <Button disabled={id === head} data-testid="history-with-work" onClick={() => store.compare(id, head)}>
          {say("withWork")}
        </Button>
        <Button
          asks
          disabled={id === head || facts.damage !== ""}
          data-testid="history-restore"
          onClick={() => onRestore(id)}
        >
          {say("restore")}
        </Button>
        <Button asks disabled={facts.damage !== ""} data-testid="history-pick" onClick={() => onPick(id)}>
          {say("pick")}
        </Button>
      </div>
      <dl class="lk-history-facts">
        <Fact name={say("f_when")}>
          <time title={String(facts.at)}>{exact(facts.at, language)}</time>{" "}
          <span class="lk-soft">{ago(facts.at, Date.now(), language)}</span>
        </Fact>
        <Fact name={say("f_who")}>
          {facts.who} <span class="lk-soft">({say(facts.kind)})</span>
        </Fact>
        <Fact name={say("f_line")}>{lineOf(say, facts)}</Fact>
        {facts.draft?.from_proposal && <Fact name="">{say("f_again", { id: facts.draft.from_proposal })}</Fact>}
        {before !== null && (
          <Fact name={say("f_parent")}>
            <Jump store={store} id={before} />
          </Fact>
        )}
        {facts.from !== null && (
          <Fact name={say("f_from")}>
            <Jump store={store} id={facts.from} />
          </Fact>
        )}
        {facts.marks
          .filter((mark) => mark.kind === "saved")
          .map((mark) => (
            <Fact key={mark.id} name={say("f_saved")}>
              {saidMark(say, mark)}
            </Fact>
          ))}
        {run === undefined && <Fact name={say("f_changes")}>{facts.changes}</Fact>}
        <Fact name={say("f_content")}>
          <span class="lk-code lk-history-digest">{facts.digest}</span>
        </Fact>
        <Fact name={say("f_chain")}>
          <span class="lk-code lk-history-digest">{facts.chain}</span>
        </Fact>
      </dl>
      {facts.proposals.map((proposal) => (
        <section key={proposal.id} class="lk-history-proposal" data-testid="history-proposal">
          <h4>{say("proposal", { id: proposal.id, state: word(say, "state", proposal.state) })}</h4>
          {proposal.summary !== "" && <p>{proposal.summary}</p>}
          <p class="lk-soft">
            {say("frozenAt", { draft: proposal.draft })}
            <Jump store={store} id={proposal.frozen} />
          </p>
          {proposal.verdicts.map((verdict) => (
            <Verdict key={verdict.id} verdict={verdict} store={store} />
          ))}
        </section>
      ))}
      <h4>{run === undefined ? say("differences") : say("runDifferences", { n: run.count })}</h4>
      {before === null || contentLost ? (
        <p class="lk-soft">{say(contentLost ? "fault_content" : "first")}</p>
      ) : (
        <>
          <Difference
            before={before}
            after={id}
            onUnits={(found) => setUnits({ of: id, units: found })}
            onChoose={(unit) => onLook(before, id, unit)}
          />
          {units.of === id && (
            <Pictures before={before} after={id} units={units.units} onChoose={(unit) => onLook(before, id, unit)} />
          )}
        </>
      )}
    </article>
  );
}

function lineOf(say: ReturnType<typeof useSay<typeof WORDS>>, { draft }: Facts): string {
  if (draft === null) return say("f_work");
  const { id, title, base } = draft;
  const state = word(say, "state", draft.state);
  return say(title === "" ? "f_draftUntitled" : "f_draft", { id, title, state, base });
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** A revision that one can go to. */
function Jump({ store, id }: { store: HistoryStore; id: string }) {
  const say = useSay(WORDS);
  return (
    <button
      type="button"
      class="lk-history-link lk-code"
      title={say("jump", { id })}
      data-testid="history-jump"
      onClick={() => void store.go(id)}
    >
      {id}
    </button>
  );
}

function Damage({ facts }: { facts: Facts }) {
  const say = useSay(WORDS);
  const said = [
    ...(facts.damage === "" ? [] : [say(`damage_${facts.damage}`)]),
    ...(facts.damage === "missing"
      ? []
      : facts.faults.map((fault) =>
          fault.kind === "content" && fault.units?.length
            ? say("fault_units", { n: fault.units.length })
            : say(`fault_${fault.kind}`),
        )),
  ];
  if (said.length === 0) return null;
  return (
    <div class="lk-warning" role="alert" data-testid="history-damage">
      {said.map((words) => (
        <p key={words}>{words}</p>
      ))}
      <p>{say("verify")}</p>
    </div>
  );
}

function Verdict({ verdict, store }: { verdict: VerdictFacts; store: HistoryStore }) {
  const say = useSay(WORDS);
  const { language } = useShared();
  const more = verdict.left_out_count - verdict.left_out.length;
  return (
    <div class="lk-history-verdict" data-testid="history-verdict">
      <p>
        <strong>
          {say("verdictLine", {
            verdict: word(say, "verdict", verdict.verdict),
            by: verdict.by,
            when: exact(verdict.at, language),
          })}
        </strong>
        {verdict.result !== null && (
          <>
            {" → "}
            <Jump store={store} id={verdict.result} />
          </>
        )}
      </p>
      <p class="lk-soft">
        {verdict.mode !== "" &&
          say("verdictMode", { compared: verdict.compared, mode: word(say, "mode", verdict.mode) })}{" "}
        <span class={verdict.valid ? "" : "lk-history-bad"}>
          {verdict.valid ? `✓ ${say("signatureHolds")}` : `✗ ${say("signatureFails")}`}
        </span>{" "}
        <span class="lk-code">{verdict.key}</span>
      </p>
      {verdict.reason !== "" && <p>{say("reason", { words: verdict.reason })}</p>}
      {verdict.left_out.length > 0 && (
        <>
          <h5>{say("leftOut")}</h5>
          <ul class="lk-history-sentences" data-testid="history-left-out">
            {verdict.left_out.map((part) => (
              <li key={part.part}>
                {part.words}
                <span class="lk-soft">
                  {part.because !== "" && ` · ${say("because", { part: part.because })}`}
                  {part.reason !== "" && ` · ${say("reason", { words: part.reason })}`}
                </span>
              </li>
            ))}
          </ul>
          {more > 0 && <p class="lk-soft">{say("andMore", { n: more })}</p>}
        </>
      )}
    </div>
  );
}
