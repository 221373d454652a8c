// What is meant: chapters with their plans, people, foreshadows, and how the plan became what it is.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useAsked } from "../kit/asked.ts";
import { Choice, ErrorBox } from "../kit/kit.tsx";
import { useSay } from "../shell.tsx";
import type { ChapterLine, ChapterPlan, Desk, Foreshadow, Person, PlanRevision } from "./facts.ts";
import { Jump } from "./Jump.tsx";
import { useFigures, useStory } from "./shared.ts";
import type { Side } from "./store.ts";
import { WORDS } from "./words.ts";

const SIDES: readonly Side[] = ["chapters", "people", "foreshadows", "revisions"];

export function Outline({ desk }: { desk: Desk }) {
  const story = useStory();
  const say = useSay(WORDS);
  const { revision, approved, approval, latest } = desk.outline;
  const side = story.side.value;
  return (
    <>
      <p class="lk-novel-plan" data-testid="novel-plan">
        {revision === 0 ? (
          say("no_outline")
        ) : (
          <>
            <strong>{say("plan_revision", { n: revision })}</strong>
            {approval === "manual" && <span> · {say(approved > 0 ? "approved" : "unapproved")}</span>}
          </>
        )}
      </p>
      {latest !== null && side !== "revisions" && (
        <p class="lk-soft" data-testid="novel-changed" dir="auto">
          {latest.changed.join(" · ") || say("unchanged")}
        </p>
      )}
      <Choice
        label={say("part")}
        value={side}
        testid="novel-sides"
        options={SIDES.map((value) => ({ value, label: say(value), testid: `novel-side-${value}` }))}
        onChange={(value) => story.turn(value)}
      />
      {side === "chapters" && <Chapters desk={desk} />}
      {side === "people" && <People desk={desk} />}
      {side === "foreshadows" && <Foreshadows desk={desk} />}
      {side === "revisions" && <Revisions desk={desk} />}
    </>
  );
}

function Chapters({ desk }: { desk: Desk }) {
  const say = useSay(WORDS);
  const known = desk.story;
  return (
    <>
      {known !== null && (
        <details class="lk-novel-details" data-testid="novel-story">
          <summary>{say("story")}</summary>
          <Facts
            rows={(["premise", "theme", "conflict", "ending", "view", "style"] as const).map((key) => [
              say(key),
              known[key],
            ])}
          />
        </details>
      )}
      <ol class="lk-novel-chapters" aria-label={say("chapters")} data-testid="novel-chapters">
        {desk.chapters.map((chapter, at) => (
          <ChapterRow key={chapter.id} chapter={chapter} number={at + 1} desk={desk} />
        ))}
      </ol>
    </>
  );
}

function ChapterRow({ chapter, number, desk }: { chapter: ChapterLine; number: number; desk: Desk }) {
  const story = useStory();
  const say = useSay(WORDS);
  const { count } = useFigures();
  const open = useSignal<boolean | undefined>(undefined);
  const shown = open.value ?? chapter.current;
  // Of many chapters the current one is brought into sight once, within the outline and not the page.
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const pane = row.current?.closest<HTMLElement>(".lk-novel-outline");
    if (!chapter.current || !row.current || !pane) return;
    const { top, bottom } = row.current.getBoundingClientRect();
    const seen = pane.getBoundingClientRect();
    if (top < seen.top || bottom > seen.bottom) pane.scrollTop += top - seen.top - seen.height / 4;
  }, [chapter.current]);
  const state = chapter.state === "planned" ? "planned" : (`chapter_${chapter.state}` as const);
  const figures = { written: count(chapter.written), planned: count(chapter.planned) };
  return (
    <li ref={row} data-testid="novel-chapter" data-state={chapter.state} data-current={chapter.current}>
      <div class="lk-novel-row">
        <button
          type="button"
          class="lk-novel-toggle"
          aria-expanded={shown}
          aria-label={say("plan", { title: chapter.title })}
          data-testid="novel-chapter-plan"
          onClick={() => {
            open.value = !shown;
          }}
        >
          {shown ? "▾" : "▸"}
        </button>
        <button
          type="button"
          class="lk-novel-chapter"
          aria-current={story.chapter.value === chapter.id ? "true" : undefined}
          data-testid="novel-chapter-read"
          onClick={() => story.show(chapter.id)}
        >
          <span dir="auto">
            {number}. {chapter.title}
          </span>
          <span class="lk-soft">
            <span class={`lk-novel-mark lk-novel-${chapter.state}`}>
              {say(state)}
              {chapter.current ? ` · ${say("current")}` : ""}
            </span>
            {chapter.scenes > 0 && ` · ${say("scenes_done", { done: chapter.done, n: chapter.scenes })}`}
            {(chapter.written > 0 || chapter.planned > 0) &&
              ` · ${say(chapter.planned > 0 ? "characters_of" : "characters", figures)}`}
          </span>
        </button>
      </div>
      {shown && <Plan chapter={chapter.id} again={desk.revision} />}
    </li>
  );
}

function Plan({ chapter, again }: { chapter: string; again: number }) {
  const say = useSay(WORDS);
  const { list } = useFigures();
  const { data, error } = useAsked<ChapterPlan>("chapter", { chapter }, again);
  if (data === undefined) return <ErrorBox error={error} testid="novel-plan-error" />;
  return (
    <div class="lk-novel-chapterplan" data-testid="novel-chapter-planned">
      <Facts
        rows={[
          [say("purpose"), data.purpose],
          [say("events"), data.events.join(" · ")],
          [say("with"), list(data.people)],
          [say("entry"), data.entry],
          [say("exit"), data.exit],
          [say("evidence"), data.evidence],
          [say("loose"), data.open.join(" · ")],
        ]}
      />
      {data.scenes.length > 0 && (
        <ol class="lk-novel-scenes" aria-label={say("scenes")}>
          {data.scenes.map((scene) => (
            <li key={scene.id} data-testid="novel-scene" data-state={scene.claimed ? "claimed" : scene.state}>
              <span dir="auto">{scene.goal}</span>
              <span class={`lk-soft lk-novel-mark lk-novel-${scene.state === "done" ? "completed" : scene.state}`}>
                {" "}
                {say(
                  scene.claimed
                    ? "being_written"
                    : scene.state === "done"
                      ? "done"
                      : scene.state === "writing"
                        ? "chapter_writing"
                        : "planned",
                )}
              </span>
              {(scene.place || scene.time || scene.people.length > 0) && (
                <span class="lk-soft lk-novel-where" dir="auto">
                  {[scene.place, scene.time, list(scene.people)].filter(Boolean).join(" · ")}
                </span>
              )}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function People({ desk }: { desk: Desk }) {
  const say = useSay(WORDS);
  const { list } = useFigures();
  const aspect = (name: string) => (name === "life" || name === "place" ? say(name) : name);
  const value = (life: string) => (life === "alive" || life === "dead" || life === "missing" ? say(life) : life);
  const { data, error } = useAsked<{ people: Person[] }>("people", {}, desk.revision);
  return (
    <>
      <ErrorBox error={error} testid="novel-people-error" />
      {data?.people.length === 0 && <p class="lk-soft">{say("no_people")}</p>}
      <ul class="lk-novel-cards" aria-label={say("people")}>
        {data?.people.map((person) => (
          <li key={person.id} class="lk-novel-card" data-testid="novel-person">
            <h4 dir="auto">
              {person.name}
              {person.aliases.length > 0 && <span class="lk-soft"> ({list(person.aliases)})</span>}
            </h4>
            <Facts
              rows={[
                [say("role"), person.role],
                [say("motive"), person.motive],
                [say("arc"), person.arc],
                [say("choices"), person.choices.join(" · ")],
                [say("card"), person.card],
              ]}
            />
            <p class="lk-soft">{say(person.states.length > 0 ? "now" : "nothing_written")}</p>
            {person.states.map((state) => (
              <div key={state.aspect} data-testid="novel-person-state">
                <span dir="auto">
                  {aspect(state.aspect)}: {state.aspect === "life" ? value(state.value) : state.value}
                </span>{" "}
                {state.at !== null && <Jump place={{ ...state.at, quote: "" }} testid="novel-person-place" />}
              </div>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

function Foreshadows({ desk }: { desk: Desk }) {
  const say = useSay(WORDS);
  const { data, error } = useAsked<{ foreshadows: Foreshadow[] }>("foreshadows", {}, desk.revision);
  return (
    <>
      <ErrorBox error={error} testid="novel-foreshadows-error" />
      {data?.foreshadows.length === 0 && <p class="lk-soft">{say("no_foreshadows")}</p>}
      <ul class="lk-novel-cards" aria-label={say("foreshadows")}>
        {data?.foreshadows.map((item) => (
          <li key={item.id} class="lk-novel-card" data-testid="novel-foreshadow" data-state={item.state}>
            <p dir="auto">{item.what}</p>
            <p class="lk-soft">
              <strong>{say(item.state)}</strong>
              {item.required ? ` · ${say("must")}` : ""}
            </p>
            {item.planted === null && item.plant && (
              <p class="lk-soft" dir="auto">
                {say("to_plant", { title: item.plant })}
              </p>
            )}
            {item.resolved === null && item.resolve && (
              <p class="lk-soft" dir="auto">
                {say("to_resolve", { title: item.resolve })}
              </p>
            )}
            {item.planted !== null && <Jump place={item.planted} label={say("where_planted")} testid="novel-planted" />}
            {item.resolved !== null && (
              <Jump place={item.resolved} label={say("where_resolved")} testid="novel-resolved" />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function Revisions({ desk }: { desk: Desk }) {
  const say = useSay(WORDS);
  const { when, list } = useFigures();
  const { data, error } = useAsked<{ plans: PlanRevision[] }>("plans", {}, desk.outline.revision);
  const why = (plan: PlanRevision) =>
    plan.instructions.length > 0 && plan.why !== "beginning"
      ? say("instructions", { list: list(plan.instructions) })
      : say(plan.why === "beginning" ? "beginning" : "refine");
  return (
    <>
      <ErrorBox error={error} testid="novel-plans-error" />
      <ol class="lk-novel-cards" aria-label={say("revisions")} data-testid="novel-plans">
        {data?.plans.map((plan) => (
          <li key={plan.number} class="lk-novel-card" data-testid="novel-plan-revision">
            <h4>
              {say("plan_revision", { n: plan.number })} <span class="lk-soft">· {why(plan)}</span>
            </h4>
            <p dir="auto">{plan.reason}</p>
            <p class="lk-soft" dir="auto">
              {plan.changed.join(" · ") || say("unchanged")}
            </p>
            {plan.chapters.some((chapter) => chapter.title) && (
              <p class="lk-soft" dir="auto">
                {say("touched", { list: list(plan.chapters.map((chapter) => chapter.title || chapter.id)) })}
              </p>
            )}
            <p class="lk-soft">{say("by", { who: plan.by, when: when(plan.at) })}</p>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Facts with their names; those that say nothing are left out. */
export function Facts({ rows }: { rows: readonly (readonly [string, ComponentChildren])[] }) {
  const told = rows.filter(([, value]) => value !== "" && value !== undefined);
  if (told.length === 0) return null;
  return (
    <dl class="lk-novel-facts">
      {told.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
