// Conflicts that a merge left: the work's and the proposal's drawn beside each other, and the choice by a click.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Button, ErrorBox } from "../kit/kit.tsx";
import { useShared } from "../shell.tsx";
import { Viewer, type ViewerHandle } from "../viewer/Viewer.tsx";
import { type Facts, type Stored, undecided } from "./facts.ts";
import { placeOf } from "./marks.ts";
import { useCase, useWords } from "./shared.ts";
import { useSheet } from "./sheets.ts";
import { Both } from "./Warnings.tsx";

export function Settle({ facts }: { facts: Facts }) {
  const say = useWords();
  const wanted = useSignal("");
  const open = facts.conflicts.filter((item) => item.state === "open");
  const done = facts.conflicts.filter((item) => item.state !== "open");
  if (facts.conflicts.length === 0 || undecided(facts)) return null;
  const current = open.find((item) => item.id === wanted.value) ?? open[0];
  return (
    <section class="lk-review-card lk-review-careful" data-testid="review-settle">
      <h4>{open.length === 0 ? say("settled") : say("settleTitle", { n: open.length })}</h4>
      {open.length > 1 && (
        <ul class="lk-bar">
          {open.map((item) => (
            <li key={item.id}>
              <Button
                aria-pressed={item.id === current?.id}
                data-testid="review-conflict-tab"
                onClick={() => {
                  wanted.value = item.id;
                }}
              >
                {item.id} · {item.name}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {current !== undefined && <One key={current.id} facts={facts} conflict={current} />}
      {done.map((item) => {
        const choice = say(item.state === "ours" ? "ours" : "theirs");
        const made = item.made === null ? "" : say("choseMade", { number: item.made });
        return (
          <p key={item.id} class="lk-soft" data-testid="review-settled">
            {item.name} — {say("chose", { id: item.id, choice, by: item.by, made })}
          </p>
        );
      })}
    </section>
  );
}

function One({ facts, conflict }: { facts: Facts; conflict: Stored }) {
  const { announce } = useShared();
  const say = useWords();
  const about = useCase();
  const busy = useSignal(false);
  const viewer = useRef<ViewerHandle | null>(null);
  const { id, unit, object } = conflict;
  const can = conflict.against === "";
  const ours = useSheet(`${id}:ours`, unit, true, facts.compared);
  const theirs = useSheet(`${id}:theirs`, unit, can, facts.compared);
  const place = placeOf({ before: ours.sheet, after: theirs.sheet }, object);
  const flown = useRef(false);
  useEffect(() => {
    if (flown.current || place === undefined || viewer.current === null) return;
    if (ours.sheet === undefined || theirs.sheet === undefined) return;
    flown.current = true;
    viewer.current.flyTo(place, unit);
  }, [place, unit, ours.sheet, theirs.sheet]);
  const settle = async (choice: "ours" | "theirs") => {
    busy.value = true;
    try {
      await about.settle(id, choice);
      const now = about.facts.value?.conflicts.find((item) => item.id === id);
      if (now && now.state !== "open") {
        announce(say("chose", { id, choice: say(choice), by: now.by, made: "" }));
      }
    } finally {
      busy.value = false;
    }
  };
  const what = conflict.property === "" ? say("wholeThing") : conflict.property;
  const shown = theirs.sheet ?? ours.sheet;
  const stands = { changed: "standsChanged", theirs: "standsTheirs", gone: "standsGone" } as const;
  return (
    <div class="lk-review-one" data-testid="review-conflict" data-conflict={id}>
      <p>
        <b>{say("conflict", { id, name: conflict.name, what })}</b> <span class="lk-soft">{conflict.title}</span>
      </p>
      <Both ours={conflict.ours} theirs={conflict.theirs} say={say} />
      {conflict.standing in stands && (
        <p class="lk-warning" data-testid="review-standing">
          {say(stands[conflict.standing as keyof typeof stands])}
        </p>
      )}
      {conflict.would.length > 0 && <p>{say("wouldBecome", { what: conflict.would.join("; ") })}</p>}
      {!can && (
        <p class="lk-warning" data-testid="review-cannot-take">
          {say("cannotTake", { why: conflict.against })}
        </p>
      )}
      <ErrorBox error={ours.error ?? theirs.error} testid="review-conflict-error" />
      {shown && (
        <div class="lk-review-choices">
          <Viewer
            sheet={shown}
            against={theirs.sheet && ours.sheet ? ours.sheet : null}
            mode="side"
            names={{ against: say("ours"), sheet: say("theirs") }}
            selected={object}
            handle={viewer}
            label={conflict.title}
          />
        </div>
      )}
      <div class="lk-review-halves">
        <Button asks disabled={busy.value} data-testid="review-ours" onClick={() => settle("ours")}>
          {say("keepOurs")}
        </Button>
        <Button
          asks
          tone="primary"
          disabled={busy.value || !can}
          data-testid="review-theirs"
          onClick={() => settle("theirs")}
        >
          {say("takeTheirs")}
        </Button>
      </div>
    </div>
  );
}
