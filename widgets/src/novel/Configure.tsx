// What a person may change of length and limits: a form that sends what was changed, and nothing else.
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { Button, Dialog, ErrorBox } from "../kit/kit.tsx";
import { useSay, useShared } from "../shell.tsx";
import { type Changes, changes, type Desk, type Field, fields } from "./facts.ts";
import { useFigures, useStory } from "./shared.ts";
import { WORDS } from "./words.ts";

export function Configure({ desk, onClose }: { desk: Desk; onClose: () => void }) {
  const { announce } = useShared();
  const story = useStory();
  const say = useSay(WORDS);
  const { count } = useFigures();
  // As it was when the form was opened: what others change meanwhile is not put back.
  const before = useSignal<Field[]>(fields(desk.config)).value;
  const written = useSignal<Readonly<Record<string, string>>>({});
  const told = changes(before, written.value);
  const used = new Map(desk.spent.map((row) => [row.what, row.used]));
  const save = async () => {
    if (Object.keys(told).length === 0) return;
    if ((await story.act<Changes>("configure", told)) === undefined) return;
    announce(say("did_configure"));
    onClose();
  };
  const part = (limit: boolean) => (
    <fieldset class="lk-novel-fields">
      <legend>{say(limit ? "limits" : "length")}</legend>
      {before
        .filter((field) => field.limit === limit)
        .map((field) => (
          <Line
            key={field.name}
            field={field}
            value={written.value[field.name] ?? field.value}
            hint={limit ? say("so_far", { n: count(used.get(field.name) ?? 0) }) : ""}
            onWrite={(text) => {
              written.value = { ...written.value, [field.name]: text };
            }}
          />
        ))}
    </fieldset>
  );
  return (
    <Dialog title={say("configure")} testid="novel-configuring" onClose={onClose}>
      <form
        class="lk-novel-configure"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {part(false)}
        {part(true)}
        <p class="lk-soft">{say("kept_spent")}</p>
        <ErrorBox error={story.errors.value.act} testid="novel-configure-error" />
        <div class="lk-bar">
          <Button
            asks
            type="submit"
            tone="primary"
            data-testid="novel-configure-now"
            disabled={Object.keys(told).length === 0 || story.doing.value !== ""}
          >
            {say("save")}
          </Button>
          <Button data-testid="novel-configure-close" onClick={onClose}>
            {say("cancel")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Line(props: { field: Field; value: string; hint: string; onWrite: (text: string) => void }) {
  const { field, value, hint, onWrite } = props;
  const say = useSay(WORDS);
  const name = useId();
  const notes = [hint, field.open ? say("empty_none") : ""].filter(Boolean).join(" · ");
  return (
    <div class="lk-novel-field">
      <label for={name}>{say(`set_${field.name}` as "set_turns")}</label>
      <input
        id={name}
        class="lk-input"
        type="number"
        inputMode="numeric"
        step={1}
        min={field.name === "tolerance" ? 0 : 1}
        max={field.name === "tolerance" ? 99 : undefined}
        required={!field.open}
        value={value}
        aria-describedby={notes ? `${name}-notes` : undefined}
        data-testid={`novel-set-${field.name}`}
        onInput={(event) => onWrite(event.currentTarget.value)}
      />
      {notes && (
        <span class="lk-soft" id={`${name}-notes`}>
          {notes}
        </span>
      )}
    </div>
  );
}
