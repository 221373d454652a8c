// The verdict: what will happen in one sentence, the reason, and the key that signs.
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { loose } from "../kit/focus.ts";
import { Button, Dialog, ErrorBox, ProgressBar } from "../kit/kit.tsx";
import { Refused } from "../link.ts";
import type { Refusal } from "../protocol.ts";
import { useShared } from "../shell.tsx";

import { REASON } from "./choices.ts";
import { detail, type Facts, type Keys, type Outcome } from "./facts.ts";
import type { Wanted } from "./giving.ts";
import { hintOf, useCase, useWords, type Words } from "./shared.ts";

export type Kind = Wanted["verdict"];

const KNOWN: Record<string, "staleNow" | "lockedNow" | "corruptNow" | "busyNow" | "decidedNow" | "nothing"> = {
  stale_head: "staleNow",
  locked: "lockedNow",
  corrupt: "corruptNow",
  busy: "busyNow",
  wrong_state: "decidedNow",
};

export function VerdictDialog({ facts, kind, onClose }: { facts: Facts; kind: Kind; onClose: () => void }) {
  const { link } = useShared();
  const say = useWords();
  const about = useCase();
  const reason = about.why;
  const hold = useSignal(false);
  const who = useSignal("");
  const refusal = useSignal<Refusal | undefined>(undefined);
  const lost = useSignal(false);
  const needs = useSignal<"" | "reason" | "passphrase">("");
  // The passphrase lives in its field alone, and is taken out of it as soon as it was sent.
  const secret = useRef<HTMLInputElement>(null);
  const keys = about.keys.value;
  const giving = about.giving.now.value;
  const mine = keys?.mine ?? [];
  const key = mine.find((item) => item.name === who.value) ?? mine.find((item) => item.key === keys?.held) ?? mine[0];
  const unlocked = key !== undefined && (key.demo || key.key === keys?.held);
  const length = [...reason.value].length;
  const over = length > REASON.verdict;

  const close = () => {
    if (about.giving.now.value === undefined) onClose();
  };
  // somebody else decided meanwhile: this question is none any more
  useEffect(() => {
    if (facts.state === "applied" || facts.state === "discarded" || facts.state === "superseded") close();
  }, [facts.state]);

  const give = async (event: Event) => {
    event.preventDefault();
    if (about.giving.now.value !== undefined || key === undefined || link.state.value !== "live") return;
    const passphrase = unlocked ? undefined : (secret.current?.value ?? "");
    if (kind === "discard" && reason.value.trim() === "") {
      needs.value = "reason";
      return;
    }
    if (passphrase === "") {
      needs.value = "passphrase";
      return;
    }
    needs.value = "";
    refusal.value = undefined;
    if (secret.current) secret.current.value = "";
    const came = await about.give({ verdict: kind, reason: reason.value, who: key.name, hold: hold.value, passphrase });
    if (came === "given" || came === "left") {
      onClose();
      about.given.value++;
    } else if (came.code === "disconnected") {
      lost.value = true;
    } else {
      refusal.value = came;
    }
  };
  // a wrong passphrase is typed again at once, unless somebody goes on elsewhere by now
  const refused = refusal.value;
  useLayoutEffect(() => {
    const again = refused && detail<boolean>(refused, "wrong") && detail<number>(refused, "tries_left") !== 0;
    if (again && loose(secret.current?.form)) secret.current?.focus();
  }, [refused]);
  const hindrance = about.hindrance.value;
  const unappliable = about.unappliable.value;
  const off = over || (hindrance !== "" && hindrance !== "giving") || (kind === "apply" && unappliable !== "");
  const hint = giving === undefined ? hintOf(hindrance || (kind === "apply" ? unappliable : ""), say) : "";
  return (
    <Dialog title={say(`${kind}Title`, { id: facts.proposal })} onClose={close} testid="review-dialog">
      <form class="lk-review-form" onSubmit={give}>
        <p data-testid="review-will">{sentence(facts, about.outcome.value, kind, say)}</p>
        <label class="lk-review-field">
          <span>{kind === "discard" ? say("whyNeeded") : say("why")}</span>
          <textarea
            class="lk-input"
            rows={3}
            value={reason.value}
            disabled={giving !== undefined}
            aria-invalid={over || needs.value === "reason"}
            data-testid="review-why"
            onInput={(event) => {
              reason.value = event.currentTarget.value;
            }}
          />
        </label>
        {over && (
          <p class="lk-error" role="alert" data-testid="review-why-long">
            {say("tooLong", { n: length, most: REASON.verdict })}
          </p>
        )}
        {needs.value === "reason" && (
          <p class="lk-error" role="alert" data-testid="review-needs-reason">
            {say("needsReason")}
          </p>
        )}
        <Signing
          keys={keys}
          chosen={key}
          unlocked={unlocked}
          busy={giving !== undefined}
          secret={secret}
          onWho={(name) => {
            who.value = name;
          }}
          hold={hold.value}
          onHold={(on) => {
            hold.value = on;
          }}
        />
        {needs.value === "passphrase" && (
          <p class="lk-error" role="alert" data-testid="review-needs-passphrase">
            {say("needsPassphrase")}
          </p>
        )}
        <Refusing refusal={refusal.value} />
        {lost.value && (
          <p class="lk-error" role="alert" data-testid="review-lost-line">
            {say("lostLine")}
          </p>
        )}
        {hint !== "" && (
          <p class="lk-warning" role="status" data-testid="review-dialog-hint">
            {hint}
          </p>
        )}
        <Waiting />
        <div class="lk-bar lk-review-end">
          <Button disabled={giving !== undefined} data-testid="review-cancel" onClick={close}>
            {say("cancel")}
          </Button>
          <Button
            asks
            type="submit"
            tone={kind === "discard" ? "danger" : "primary"}
            disabled={giving !== undefined || off || key === undefined}
            data-testid="review-give"
          >
            {say(`${kind}Now`)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** What will happen, before it happens. */
export function sentence(facts: Facts, outcome: Outcome | undefined, kind: Kind, say: Words): string {
  const { proposal: id, compared, draft } = facts;
  if (kind === "keep") return say("willKeep", { id, compared });
  if (kind === "discard") return say("willDiscard", { id, compared, draft });
  const n = facts.parts.length;
  const left = outcome?.left ?? n;
  const parts = left === n ? say("allParts", { n }) : say("someParts", { left, n });
  const said = [say("willApply", { parts, id, compared, left })];
  if (left < n) said.push(say("willLeave", { n: n - left }));
  if (outcome?.mode === "merge") said.push(say("willMerge", { n: outcome.conflicts.length }));
  if (outcome?.mode === "overwrite") {
    const names = [...new Set(outcome.overwritten.flatMap((item) => item.by.map(({ by }) => by)))].join(", ");
    said.push(say("willOverwrite", { by: names === "" ? "" : say("byWhom", { names }) }));
  }
  return said.join(say("between"));
}

function Signing(props: {
  keys: Keys | undefined;
  chosen: Keys["mine"][number] | undefined;
  unlocked: boolean;
  busy: boolean;
  secret: preact.RefObject<HTMLInputElement | null>;
  onWho: (name: string) => void;
  hold: boolean;
  onHold: (hold: boolean) => void;
}) {
  const say = useWords();
  const { keys, chosen, unlocked, busy, secret } = props;
  if (keys === undefined || chosen === undefined) return null;
  return (
    <fieldset class="lk-review-signing" data-testid="review-signing" disabled={busy}>
      <legend>
        {say("keyOf", { name: chosen.name })}
        {chosen.demo && (
          <b class="lk-review-demo" data-testid="review-demo">
            {say("demo")}
          </b>
        )}{" "}
        <span class="lk-code lk-soft">{chosen.key}</span>
      </legend>
      {keys.mine.length > 1 && (
        <label class="lk-review-field">
          <span>{say("whose")}</span>
          <select
            class="lk-input"
            value={chosen.name}
            data-testid="review-who"
            onChange={(event) => props.onWho(event.currentTarget.value)}
          >
            {keys.mine.map((item) => (
              <option key={item.key} value={item.name}>
                {item.demo ? `${item.name} (${say("demo")})` : item.name}
              </option>
            ))}
          </select>
        </label>
      )}
      {chosen.demo && <p class="lk-soft">{say("demoNote")}</p>}
      {!chosen.demo && unlocked && <p data-testid="review-unlocked">{say("unlocked")}</p>}
      {!unlocked && (
        <>
          <label class="lk-review-field">
            <span>{say("passphrase", { name: chosen.name })}</span>
            <input
              ref={secret}
              type="password"
              class="lk-input"
              autocomplete="off"
              spellcheck={false}
              data-testid="review-passphrase"
            />
          </label>
          <label>
            <input
              type="checkbox"
              checked={props.hold}
              data-testid="review-hold"
              onChange={(event) => props.onHold(event.currentTarget.checked)}
            />{" "}
            {say("hold")}
          </label>
        </>
      )}
    </fieldset>
  );
}

/** Why it was not given, in the person's language where the kit knows the situation. */
function Refusing({ refusal }: { refusal: Refusal | undefined }) {
  const say = useWords();
  if (refusal === undefined) return null;
  const wrong = detail<boolean>(refusal, "wrong");
  if (wrong !== undefined) {
    const left = detail<number>(refusal, "tries_left") ?? 0;
    const words = wrong ? (left === 0 ? say("wrongAll") : say("wrong", { n: left })) : say("needsPassphrase");
    return (
      <p class="lk-error" role="alert" data-testid="review-wrong" data-left={left}>
        {words}
      </p>
    );
  }
  const known = KNOWN[refusal.code];
  return (
    <>
      {known !== undefined && (
        <p class="lk-error" role="alert" data-testid="review-refusal" data-code={refusal.code}>
          {say(known)}
        </p>
      )}
      {refusal.code !== "stale_head" && <ErrorBox error={new Refused(refusal)} testid="review-refusal-why" />}
    </>
  );
}

function Waiting() {
  const say = useWords();
  const about = useCase();
  const giving = about.giving.now.value;
  if (giving === undefined) return null;
  return (
    <>
      <ProgressBar
        progress={giving.progress ?? { done: 0, total: 0, words: say("sending") }}
        testid="review-progress"
      />
      {giving.silent && (
        <p class="lk-warning" role="alert" data-testid="review-silent">
          {say("silent")}
        </p>
      )}
      {giving.unheard && (
        <p class="lk-warning" role="status" data-testid="review-unheard">
          {say("unheard")}{" "}
          <Button asks data-testid="review-give-up" onClick={() => about.giveUp()}>
            {say("stopWaiting")}
          </Button>
        </p>
      )}
    </>
  );
}
