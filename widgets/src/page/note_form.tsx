// Writing an annotation: what it is about, the words, and who will read it.
import { useId, useRef, useState } from "preact/hooks";
import { Button, ErrorBox } from "../kit/kit.tsx";
import { useSay, useShared } from "../shell.tsx";
import type { Aim } from "./marks.ts";
import { Side } from "./side.tsx";
import { WORDS } from "./words.ts";

interface Props {
  aim: Aim;
  /** what the unit is called */
  page: string;
  onClose: () => void;
  onSaved: (id: string) => void;
}

type On = "thing" | "point" | "page";

export function NoteForm({ aim, page, onClose, onSaved }: Props) {
  const say = useSay(WORDS);
  const { link, announce } = useShared();
  const [on, setOn] = useState<On>(aim.thing ? "thing" : "point");
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>();
  const field = useRef<HTMLTextAreaElement | null>(null);
  const group = useId();
  const target: On = on === "thing" && !aim.thing ? "point" : on;
  const save = async () => {
    const body = field.current?.value.trim() ?? "";
    if (body === "" || saving || link.state.value !== "live") {
      field.current?.focus();
      return;
    }
    setSaving(true);
    setError(undefined);
    try {
      const { data } = await link.ask<{ id: string; chapter: string }>("annotate", {
        body,
        unit: aim.unit,
        object: target === "thing" ? (aim.thing?.id ?? "") : "",
        point: target === "page" ? null : aim.point,
      });
      announce(say("saved", { id: data.id, chapter: data.chapter }));
      onSaved(say("saved", { id: data.id, chapter: data.chapter }));
    } catch (failed) {
      setError(failed);
      setSaving(false);
    }
  };
  const options: [On, string][] = [
    ...(aim.thing ? ([["thing", say("onThing", { name: aim.thing.name })]] as [On, string][]) : []),
    ["point", say("onPoint", { page })],
    ["page", say("onPage", { page })],
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
              checked={target === value}
              data-testid={`page-about-${value}`}
              onInput={() => setOn(value)}
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
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
            if (event.key === "Escape") onClose();
          }}
        />
      </label>
      <ErrorBox error={error} testid="page-note-error" />
      <div class="lk-bar">
        <Button tone="primary" asks disabled={saving} data-testid="page-note-save" onClick={() => void save()}>
          {say(saving ? "saving" : "save")}
        </Button>
        <Button data-testid="page-note-cancel" onClick={onClose}>
          {say("cancel")}
        </Button>
      </div>
    </Side>
  );
}
