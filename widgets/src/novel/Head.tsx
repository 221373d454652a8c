// How the novel stands, who writes it and what at, and what a person may do about it.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Button, Choice, Dialog, ErrorBox } from "../kit/kit.tsx";
import { useSay, useShared } from "../shell.tsx";
import type { Control, Desk } from "./facts.ts";
import { useFigures, useStory } from "./shared.ts";
import { WORDS } from "./words.ts";

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
          {" · "}
          {say("piece", { n: unit.number, low: count(unit.low), high: count(unit.high) })}
          {work?.scene ? ` · ${say("scene", { goal: work.scene })}` : ""}
        </span>
      )}
    </p>
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
    if (done === 0 || (at !== document.body && !(at instanceof HTMLButtonElement && at.disabled))) return;
    row.current?.querySelector<HTMLElement>("button:not(:disabled)")?.focus();
  }, [done]);
  const exporting = useSignal(false);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons, no form
    <div role="group" aria-label={say("controls")} class="lk-bar lk-novel-controls" ref={row}>
      <Deed name="pause" control={controls.pause} onDo={simple("pause")} label={say("pause")} />
      <Deed name="stop" control={controls.stop} onDo={stop} label={say("stop")} tone="danger" />
      <Deed name="resume" control={controls.resume} onDo={simple("resume")} label={say("resume")} tone="primary" />
      <Deed name="update" control={controls.update} onDo={simple("update")} label={say("update")} />
      <Deed
        name="export"
        control={controls.export}
        onDo={async () => {
          exporting.value = true;
        }}
        label={say("export")}
      />
      <Deed
        name="approve"
        control={controls.approve}
        onDo={approve}
        label={say("approve", { n: desk.outline.revision })}
        tone="primary"
      />
      {exporting.value && (
        <Export
          desk={desk}
          onClose={() => {
            exporting.value = false;
          }}
        />
      )}
    </div>
  );
}

type Form = "markdown" | "zip" | "epub" | "docx";
const FORMS: readonly Form[] = ["epub", "markdown", "zip", "docx"];

interface File {
  file: string;
  revision: string;
  finished: boolean;
  characters: number;
}

/** In which form; the file is of the revision that is looked at, whatever is written meanwhile. */
function Export({ desk, onClose }: { desk: Desk; onClose: () => void }) {
  const { announce } = useShared();
  const story = useStory();
  const say = useSay(WORDS);
  const { count } = useFigures();
  const form = useSignal<Form>("epub");
  const made = useSignal("");
  const write = async () => {
    made.value = "";
    const came = await story.act<File & Record<string, unknown>>("export", {
      form: form.value,
      revision: desk.revision,
    });
    if (came === undefined) return;
    const { file, revision, characters, finished } = came;
    const state = say(finished ? "whole_work" : "part_work");
    made.value = say("exported", { file, revision, n: count(characters), state });
    announce(made.value);
  };
  return (
    <Dialog title={say("export_title")} testid="novel-exporting" onClose={onClose}>
      <Choice
        label={say("form")}
        value={form.value}
        testid="novel-forms"
        options={FORMS.map((value) => ({ value, label: say(value), testid: `novel-form-${value}` }))}
        onChange={(value) => {
          form.value = value;
        }}
      />
      <ErrorBox error={story.errors.value.act} testid="novel-export-error" />
      {made.value && <p data-testid="novel-exported">{made.value}</p>}
      <div class="lk-bar">
        <Button asks tone="primary" data-testid="novel-export-now" onClick={() => void write()}>
          {say("export")}
        </Button>
        <Button data-testid="novel-export-close" onClick={onClose}>
          {say("close")}
        </Button>
      </div>
    </Dialog>
  );
}

/** A deed that the kernel says is possible, or why it is not. */
function Deed(props: {
  name: string;
  control: Control;
  label: string;
  onDo: () => Promise<void>;
  tone?: "plain" | "primary" | "danger";
}) {
  const { name, control, label, onDo, tone = "plain" } = props;
  if (!control.shown) return null;
  return (
    <Button
      asks
      tone={control.can ? tone : "plain"}
      disabled={!control.can}
      title={control.why || undefined}
      data-testid={`novel-${name}`}
      onClick={() => void onDo()}
    >
      {label}
    </Button>
  );
}
