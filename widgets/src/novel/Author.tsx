// The author's side: a word to the writer with its receipt, the ledger, length, limits, cards and books.
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Button, ErrorBox } from "../kit/kit.tsx";
import { useSay, useShared } from "../shell.tsx";
import type { Desk } from "./facts.ts";
import { InstructionCard } from "./InstructionCard.tsx";
import { useFigures, useStory } from "./shared.ts";
import { WORDS } from "./words.ts";

const LONGEST = 20_000;

export function Author({ desk }: { desk: Desk }) {
  const story = useStory();
  const say = useSay(WORDS);
  return (
    <>
      {desk.controls.instruct.can ? (
        <Wish />
      ) : (
        <p class="lk-soft" data-testid="novel-closed">
          {say("closed")}
        </p>
      )}
      <Receipts />
      <ol class="lk-novel-cards" aria-label={say("ledger")} data-testid="novel-ledger">
        {story.instructions.map((item) => (
          <InstructionCard key={item.id} item={item} />
        ))}
      </ol>
      <ErrorBox error={story.errors.value.ledger} testid="novel-ledger-error" />
      {story.earlier !== null && (
        <Button asks data-testid="novel-earlier" onClick={() => void story.more()}>
          {say("earlier")}
        </Button>
      )}
      <Length desk={desk} />
      <Spent desk={desk} />
      <Assets desk={desk} />
    </>
  );
}

function Wish() {
  const { announce } = useShared();
  const story = useStory();
  const say = useSay(WORDS);
  const { when } = useFigures();
  const field = useRef<HTMLTextAreaElement>(null);
  const name = useId();
  const { about, text } = story.draft.value;
  const busy = story.sending.value;
  useLayoutEffect(() => {
    if (about !== undefined) field.current?.focus();
  }, [about]);
  const send = async () => {
    const receipt = await story.send();
    if (receipt === undefined) return;
    const { sequence: n, id, revision, at } = receipt;
    announce(say("received", { n, id, revision, when: when(at) }));
  };
  const label =
    about === undefined
      ? say("wish")
      : say(about.as === "clarification" ? "clarify_of" : "withdraw_of", { n: about.sequence });
  return (
    <form
      class="lk-novel-wish"
      data-testid="novel-wish"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label for={name}>{label}</label>
      <textarea
        id={name}
        ref={field}
        class="lk-input"
        rows={3}
        maxLength={LONGEST}
        dir="auto"
        readOnly={busy}
        value={text}
        data-testid="novel-words"
        onInput={(event) => story.write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            void send();
          }
        }}
      />
      <div class="lk-bar">
        <Button asks type="submit" tone="primary" data-testid="novel-send" disabled={busy || text.trim() === ""}>
          {say("send")}
        </Button>
        {about !== undefined && (
          <Button data-testid="novel-cancel" disabled={busy} onClick={() => story.about(undefined)}>
            {say("cancel")}
          </Button>
        )}
      </div>
    </form>
  );
}

/** Whether the last word was received: only its receipt says so. */
function Receipts() {
  const story = useStory();
  const say = useSay(WORDS);
  const { when } = useFigures();
  const receipt = story.receipt.value;
  const error = story.errors.value.instruct;
  if (story.sending.value) {
    return (
      <p class="lk-soft" role="status" data-testid="novel-receipt" data-state="sending">
        {say("sending")}
      </p>
    );
  }
  if (error !== undefined) {
    return (
      <div data-testid="novel-receipt" data-state="unsent">
        <p>{say("unsent")}</p>
        <ErrorBox error={error} testid="novel-instruct-error" />
      </div>
    );
  }
  if (receipt === undefined) return null;
  const { sequence: n, id, revision, at } = receipt;
  return (
    <p class="lk-novel-receipt" data-testid="novel-receipt" data-state="received">
      {say("received", { n, id, revision, when: when(at) })}
    </p>
  );
}

function Length({ desk }: { desk: Desk }) {
  const say = useSay(WORDS);
  const { count } = useFigures();
  const { written, punctuated, policy, target } = desk.length;
  return (
    <section class="lk-novel-section" data-testid="novel-length">
      <h4>{say("length")}</h4>
      <p>{say("effective", { n: count(written) })}</p>
      {target === null ? (
        <p class="lk-soft">{say("unbounded")}</p>
      ) : (
        <>
          <progress value={Math.min(written, target.characters)} max={target.characters} aria-label={say("length")} />
          <p>{say("target", { n: count(target.characters), low: count(target.low), high: count(target.high) })}</p>
          <p>
            {say("left", { low: count(target.left_low), high: count(target.left_high) })}
            {target.hard !== null && (
              <span>
                {" · "}
                {say("hard", { n: count(target.hard) })} · {say("left_hard", { n: count(target.left_hard ?? 0) })}
              </span>
            )}
          </p>
        </>
      )}
      <p class="lk-soft">{say("punctuated", { n: count(punctuated), policy })}</p>
    </section>
  );
}

function Spent({ desk }: { desk: Desk }) {
  const say = useSay(WORDS);
  const { count } = useFigures();
  return (
    <section class="lk-novel-section">
      <h4>{say("spent")}</h4>
      <table class="lk-novel-spent" data-testid="novel-spent">
        <thead>
          <tr>
            <th scope="col">{say("what")}</th>
            <th scope="col">{say("used")}</th>
            <th scope="col">{say("most")}</th>
            <th scope="col">{say("remaining")}</th>
          </tr>
        </thead>
        <tbody>
          {desk.spent.map(({ what, used, most }) => (
            <tr key={what} data-full={most !== null && used >= most && most > 0}>
              <th scope="row">{say(what as "turns")}</th>
              <td>{count(used)}</td>
              <td>{most === null ? say("none") : count(most)}</td>
              <td data-testid="novel-remaining">{most === null ? "–" : count(Math.max(0, most - used))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Assets({ desk }: { desk: Desk }) {
  const say = useSay(WORDS);
  return (
    <section class="lk-novel-section">
      <h4>{say("assets")}</h4>
      {desk.assets.length === 0 && <p class="lk-soft">{say("no_assets")}</p>}
      <ul class="lk-novel-assets">
        {desk.assets.map((asset) => (
          <li key={asset.id} data-testid="novel-asset">
            <span dir="auto">{asset.name}</span>
            <span class="lk-soft">
              {" · "}
              {asset.kind === "card" ? say("card_kind") : say("book_kind", { n: asset.entries })} ({asset.form})
            </span>
            <span class="lk-soft lk-novel-where" dir="auto">
              {[
                asset.within ? say("within", { name: asset.within }) : asset.file,
                say("fixed", { digest: asset.digest }),
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
