// How the novel stands, who writes it and what at, and what a person may do about it.
import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { Button, Dialog, ErrorBox } from "../kit/kit.tsx";
import { useSay, useShared } from "../shell.tsx";
import { Configure } from "./Configure.tsx";
import { Export } from "./Export.tsx";
import type { Control, Desk } from "./facts.ts";
import { useFigures, useStory } from "./shared.ts";
import { WORDS } from "./words.ts";

const OFF = ":disabled, [aria-disabled='true']";

export function Head({ desk }: { desk: Desk }) {
  const story = useStory();
  const say = useSay(WORDS);
  const { run } = desk;
  const running = run.work !== null && story.author.value !== "";
  return (
    <header class="lk-novel-head">
      <div class="lk-bar">
        <h3 data-testid="novel-title" dir="auto">
          {desk.title}
        </h3>
        <span class={`lk-novel-status lk-novel-${run.status}`} data-testid="novel-status" data-status={run.status}>
          {say(run.status === "active" && !running ? "ready" : run.status)}
        </span>
        {running && run.status === "active" && <span class="lk-soft">{say(run.phase as "writing")}</span>}
        <Controls desk={desk} />
      </div>
      <Standing desk={desk} author={story.author.value} />
      <Progress desk={desk} />
      {run.pause !== null && (
        <div class="lk-warning" role="status" data-testid="novel-pausing" data-reason={run.pause.reason}>
          <strong>{run.pause.title}</strong>
          {run.pause.told && <p dir="auto">{run.pause.told}</p>}
          <p>{run.pause.todo}</p>
        </div>
      )}
      <ErrorBox error={story.errors.value.act} testid="novel-act-error" />
    </header>
  );
}

/** Who is at it, and what at; or that nobody is. */
function Standing({ desk, author }: { desk: Desk; author: string }) {
  const say = useSay(WORDS);
  const { count } = useFigures();
  const { work, status } = desk.run;
  if (status === "completed") return null;
  const at =
    work !== null && author !== ""
      ? say(work.kind, { who: author, chapter: work.chapter?.title ?? "" })
      : author !== ""
        ? say("seated", { who: author })
        : status === "active"
          ? say("nobody")
          : "";
  if (at === "") return null;
  const running = author !== "" && work !== null && status === "active";
  const unit = author === "" ? null : (work?.unit ?? null);
  return (
    <p class="lk-novel-at" data-testid="novel-at" data-running={running}>
      <span aria-hidden="true" class={running ? "lk-novel-dot lk-novel-on" : "lk-novel-dot"} />
      <span dir="auto">{at}</span>
      {unit !== null && (
        <span class="lk-soft" dir="auto">
          {say("piece", { n: unit.number, low: count(unit.low), high: count(unit.high) })}
          {work?.scene ? ` · ${say("scene", { goal: work.scene })}` : ""}
        </span>
      )}
    </p>
  );
}

/** How far the whole is. */
function Progress({ desk }: { desk: Desk }) {
  const say = useSay(WORDS);
  const { count } = useFigures();
  const { chapters, length } = desk;
  if (chapters.length === 0) return null;
  const done = chapters.filter((chapter) => chapter.state === "completed").length;
  const whole = length.target?.characters;
  const [value, max] = whole === undefined ? [done, chapters.length] : [Math.min(length.written, whole), whole];
  return (
    <div class="lk-novel-progress" data-testid="novel-progress">
      <progress value={value} max={max} aria-label={say("progress")} />
      <span>
        {say("chapters_done", { done, n: chapters.length })}
        {" · "}
        {whole === undefined
          ? say("effective", { n: count(length.written) })
          : say("effective_of", { n: count(length.written), all: count(whole) })}
      </span>
    </div>
  );
}

function Controls({ desk }: { desk: Desk }) {
  const { announce } = useShared();
  const story = useStory();
  const say = useSay(WORDS);
  const unit = desk.run.work?.unit;
  const stop = async () => {
    const came = await story.act<{ unit: string }>("stop", { unit: unit?.state === "claimed" ? unit.id : "" });
    if (came === undefined) return;
    announce(
      say(came.unit === "stopped" ? "did_stop_stopped" : came.unit === "committed" ? "did_stop_committed" : "did_stop"),
    );
  };
  const simple = (name: "pause" | "resume" | "update") => async () => {
    if ((await story.act(name)) !== undefined) announce(say(`did_${name}`));
  };
  const approve = async () => {
    const came = await story.act("approve", { revision: desk.outline.revision });
    if (came !== undefined) announce(say("did_approve"));
  };
  const { controls } = desk;
  // A deed that is done can often not be done again: whoever works with keys goes on at the next one that can.
  const row = useRef<HTMLDivElement>(null);
  const done = story.done.value;
  useEffect(() => {
    const at = document.activeElement;
    if (done === 0 || (at !== document.body && !at?.matches(OFF))) return;
    row.current?.querySelector<HTMLElement>(`button:not(${OFF})`)?.focus();
  }, [done]);
  const asked = useSignal<"" | "export" | "configure" | "free">("");
  const ask = (which: "export" | "configure" | "free") => async () => {
    asked.value = which;
  };
  const close = () => {
    asked.value = "";
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a group of buttons, no form */}
      <div role="group" aria-label={say("controls")} class="lk-bar lk-novel-controls" ref={row}>
        <Deed name="pause" control={controls.pause} onDo={simple("pause")} label={say("pause")} />
        <Deed name="stop" control={controls.stop} onDo={stop} label={say("stop")} tone="danger" />
        <Deed name="resume" control={controls.resume} onDo={simple("resume")} label={say("resume")} />
        <Deed name="update" control={controls.update} onDo={simple("update")} label={say("update")} />
        <Deed
          name="approve"
          control={controls.approve}
          onDo={approve}
          label={say("approve", { n: desk.outline.revision })}
        />
        <Deed name="free" control={controls.free} onDo={ask("free")} label={say("free")} />
        <Deed name="configure" control={controls.configure} onDo={ask("configure")} label={say("configure")} />
        <Deed name="export" control={controls.export} onDo={ask("export")} label={say("export")} />
      </div>
      {asked.value === "export" && <Export desk={desk} onClose={close} />}
      {asked.value === "configure" && <Configure desk={desk} onClose={close} />}
      {asked.value === "free" && <Free onClose={close} />}
    </>
  );
}

/** A person vouches for what nobody else can see; said once more before it is done. */
function Free({ onClose }: { onClose: () => void }) {
  const { announce } = useShared();
  const story = useStory();
  const say = useSay(WORDS);
  const free = async () => {
    if ((await story.act("free")) === undefined) return;
    announce(say("did_free"));
    onClose();
  };
  return (
    <Dialog title={say("free")} testid="novel-freeing" onClose={onClose}>
      <p>{say("vouch", { who: story.author.value || say("somebody") })}</p>
      <ErrorBox error={story.errors.value.act} testid="novel-free-error" />
      <div class="lk-bar">
        <Button asks tone="danger" data-testid="novel-free-now" onClick={() => void free()}>
          {say("free")}
        </Button>
        <Button data-testid="novel-free-close" onClick={onClose}>
          {say("cancel")}
        </Button>
      </div>
    </Dialog>
  );
}

/** A deed that the kernel says is possible, or why it is not; the one that helps now stands out. */
function Deed(props: {
  name: string;
  control: Control;
  label: string;
  onDo: () => Promise<void>;
  tone?: "plain" | "danger";
}) {
  const { name, control, label, onDo, tone = "plain" } = props;
  const why = useId();
  if (!control.shown) return null;
  // What cannot be done stays in reach of keys, so that its reason does too.
  return (
    <>
      <Button
        asks
        tone={control.can ? (control.helps ? "primary" : tone) : "plain"}
        aria-disabled={!control.can}
        aria-describedby={control.why ? why : undefined}
        data-testid={`novel-${name}`}
        onClick={() => {
          if (control.can) void onDo();
        }}
      >
        {label}
      </Button>
      {control.why && (
        <span id={why} class="lk-novel-why">
          {control.why}
        </span>
      )}
    </>
  );
}
