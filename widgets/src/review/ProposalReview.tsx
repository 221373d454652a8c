// Where a person looks at what an agent proposes, takes and leaves parts of it, and decides.
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Button } from "../kit/kit.tsx";
import { useShared } from "../shell.tsx";
import { COMPARISONS } from "../viewer/sheet.ts";
import { Compare } from "./Compare.tsx";
import { Case } from "./case.ts";
import { Decided } from "./Decided.tsx";
import { type Facts, undecided } from "./facts.ts";
import { Head } from "./Head.tsx";
import { Help } from "./Help.tsx";
import { Errors, Notices } from "./Notices.tsx";
import { PartList } from "./PartList.tsx";
import { Settle } from "./Settle.tsx";
import { CaseProvider, hintOf, useCase, useWords } from "./shared.ts";
import { type Kind, VerdictDialog } from "./VerdictDialog.tsx";
import { Warnings } from "./Warnings.tsx";

export function ProposalReview() {
  const { link, model } = useShared();
  const about = useMemo(() => new Case(link, model), [link, model]);
  useEffect(() => about.open(), [about]);
  // A view that leaves the page, as when its cell is run again, leaves no key unlocked behind it.
  useLayoutEffect(() => () => void link.ask("lock").catch(() => {}), [link]);
  return (
    <CaseProvider value={about}>
      <Review />
    </CaseProvider>
  );
}

function Review() {
  const say = useWords();
  const about = useCase();
  const help = useSignal(false);
  const deciding = useSignal<Kind | "">("");
  const root = useRef<HTMLDivElement>(null);
  const facts = about.facts.value;
  const shown = facts !== undefined;
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
      if (deciding.value !== "" || help.value) return;
      const mode = COMPARISONS[Number(event.key) - 1];
      if (mode !== undefined) about.look.compareBy(mode);
      else if (event.key === "[") about.look.turn(-1);
      else if (event.key === "]") about.look.turn(1);
      else if (event.key === "n") about.look.walk.leap(1);
      else if (event.key === "p") about.look.walk.leap(-1);
      else if (event.key === "?") help.value = true;
      else return;
      event.preventDefault();
    };
    const here = shown ? root.current : null;
    here?.addEventListener("keydown", keys);
    return () => here?.removeEventListener("keydown", keys);
  }, [about, shown, deciding, help]);
  useNews(facts);
  if (facts === undefined) {
    return (
      <div class="lk-review" data-testid="review-loading">
        <Errors />
        {about.errors.value.read === undefined ? (
          <p role="status">{say("loading")}</p>
        ) : (
          <Button asks data-testid="review-retry" onClick={() => about.load()}>
            {say("lookAgain")}
          </Button>
        )}
      </div>
    );
  }
  return (
    <div class="lk-review" data-testid="review" data-proposal={facts.proposal} data-kept={about.kept.value} ref={root}>
      <Head
        facts={facts}
        onHelp={() => {
          help.value = true;
        }}
      />
      <Notices facts={facts} />
      <Decided facts={facts} />
      <Settle facts={facts} />
      <div class="lk-review-main">
        <PartList facts={facts} />
        <Compare facts={facts} />
        <Warnings facts={facts} />
      </div>
      {undecided(facts) && (
        <Foot
          facts={facts}
          onDecide={(kind) => {
            deciding.value = kind;
          }}
        />
      )}
      {deciding.value !== "" && (
        <VerdictDialog
          facts={facts}
          kind={deciding.value}
          onClose={() => {
            deciding.value = "";
          }}
        />
      )}
      {help.value && (
        <Help
          onClose={() => {
            help.value = false;
          }}
        />
      )}
    </div>
  );
}

/** Say to those who listen what became of the proposal without them. */
function useNews(facts: Facts | undefined): void {
  const { announce } = useShared();
  const say = useWords();
  const before = useRef(facts);
  useEffect(() => {
    const was = before.current;
    before.current = facts;
    if (!facts || was?.proposal !== facts.proposal) return;
    if (was.state !== facts.state || was.verdicts.length !== facts.verdicts.length) {
      announce(`${say("proposal", { id: facts.proposal })}: ${say(facts.state)}`);
    }
  }, [facts, announce, say]);
}

function isWriting(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== "checkbox" && target.type !== "radio";
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** The three verdicts, and what an apply would take. */
function Foot({ facts, onDecide }: { facts: Facts; onDecide: (kind: Kind) => void }) {
  const say = useWords();
  const about = useCase();
  const hindrance = about.hindrance.value;
  const unappliable = about.unappliable.value;
  const hint = hintOf(hindrance || unappliable, say);
  const outcome = about.outcome.value;
  const all = facts.parts.length;
  const out = outcome?.rejected.length ?? 0;
  const along = outcome?.rejected.filter((item) => item.because !== "").length ?? 0;
  const notes = [say("summary", { left: all - out, all })];
  if (out > 0) notes.push(say("andOut", { n: out }));
  if (along > 0) notes.push(say("ofThose", { n: along }));
  const checking = about.checking.value;
  return (
    <footer class="lk-review-foot" data-testid="review-foot">
      <span class="lk-review-tally" role="status">
        <span data-testid="review-tally">{notes.join(" · ")}</span>
        {hint !== "" && (
          <b class="lk-review-hint" data-testid="review-hint">
            {hint}
          </b>
        )}
        <span class="lk-soft" data-testid="review-soundness">
          {checking !== undefined ? checking.words || say("checking") : about.sound.value?.clean ? say("sound") : ""}
        </span>
      </span>
      <Button
        asks
        tone="danger"
        disabled={hindrance !== ""}
        data-testid="review-discard"
        onClick={() => onDecide("discard")}
      >
        {say("discard")}
      </Button>
      <Button asks disabled={hindrance !== ""} data-testid="review-keep" onClick={() => onDecide("keep")}>
        {say("keep")}
      </Button>
      <Button
        asks
        tone="primary"
        disabled={hindrance !== "" || unappliable !== ""}
        data-testid="review-apply"
        onClick={() => onDecide("apply")}
      >
        {say("apply")}
      </Button>
    </footer>
  );
}
