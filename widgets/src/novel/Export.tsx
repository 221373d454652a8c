// The novel as a file.
import { useSignal } from "@preact/signals";
import { Button, Choice, Dialog, ErrorBox } from "../kit/kit.tsx";
import { useSay, useShared } from "../shell.tsx";
import type { Desk } from "./facts.ts";
import { useFigures, useStory } from "./shared.ts";
import { WORDS } from "./words.ts";

type Form = "markdown" | "zip" | "epub" | "docx";
const FORMS: readonly Form[] = ["epub", "markdown", "zip", "docx"];

interface File {
  file: string;
  revision: string;
  finished: boolean;
  characters: number;
}

/** In which form; the file is of the revision that is looked at, whatever is written meanwhile. */
export function Export({ desk, onClose }: { desk: Desk; onClose: () => void }) {
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
