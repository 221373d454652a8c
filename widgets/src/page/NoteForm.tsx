// Writing an annotation: what it is about, the words, and who will read it.
import { useId, useRef, useState } from "preact/hooks";
import { useDeed } from "../kit/asked.ts";
import { Button, ErrorBox } from "../kit/kit.tsx";
import { type About, type Aim, type Note, pointed } from "../notes/note.ts";
import { useSay, useShared } from "../shell.tsx";
import { Side } from "./Side.tsx";
import { WORDS } from "./words.ts";

interface Props {
  aim: Aim;
  onClose: () => void;
  onSaved: (note: Note) => void;
}

export function NoteForm({ aim, onClose, onSaved }: Props) {
  const say = useSay(WORDS);
  const { link } = useShared();
  const [about, setAbout] = useState<About>(aim.thing ? "thing" : "point");
  const deed = useDeed();
  const field = useRef<HTMLTextAreaElement | null>(null);
  const group = useId();
  const save = () => {
    const body = field.current?.value.trim() ?? "";
    if (body === "" || deed.busy || link.state.value !== "live") {
      field.current?.focus();
      return;
    }
    void deed.run(async () => {
      const { data } = await link.ask<{ note: Note }>("note.write", { body, on: [pointed(aim, about)] });
      onSaved(data.note);
    });
  };
  const options: [About, string][] = [
    ...(aim.thing ? ([["thing", say("onThing", { name: aim.thing.name })]] as [About, string][]) : []),
    ["point", say("onPoint", { page: aim.title })],
    ["page", say("onPage", { page: aim.title })],
  ];
  return (
    <Side title={say("annotate")} testid="page-note-form" onClose={onClose}>
      <fieldset class="lk-page-about">
        <legend>{say("about")}</legend>
        {options.map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name={group}
              checked={about === value}
              data-testid={`page-about-${value}`}
              onInput={() => setAbout(value)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <label>
        {say("words")}
        <textarea
          class="lk-input lk-page-body"
          rows={4}
          maxLength={4_000}
          ref={(element) => {
            if (element && field.current !== element) element.focus();
            field.current = element;
          }}
          data-testid="page-note-body"
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
            if (event.key === "Escape") onClose();
          }}
        />
      </label>
      <ErrorBox error={deed.error} testid="page-note-error" />
      <div class="lk-bar">
        <Button tone="primary" asks disabled={deed.busy} data-testid="page-note-save" onClick={() => save()}>
          {say(deed.busy ? "saving" : "save")}
        </Button>
        <Button data-testid="page-note-cancel" onClick={onClose}>
          {say("cancel")}
        </Button>
      </div>
    </Side>
  );
}
