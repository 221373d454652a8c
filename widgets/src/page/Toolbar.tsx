// What one does with a page view: turn pages, choose how they lie, what is drawn over them, annotate.
import { Button, Choice } from "../kit/kit.tsx";
import { useSay } from "../shell.tsx";
import type { Overlays } from "../viewer/sheet.ts";
import type { Book } from "./book.ts";
import { WORDS } from "./words.ts";

export type Arrangement = "page" | "spread" | "strip";

interface Props {
  book: Book;
  mode: Arrangement;
  onMode: (mode: Arrangement) => void;
  at: number;
  all: number;
  title: string;
  onGo: (to: number) => void;
  overlays: Overlays;
  onOverlays: (overlays: Overlays) => void;
  notes: { shown: boolean; count: number; able: boolean; toggle: () => void };
  findings: { shown: boolean; toggle: () => void };
  aiming: boolean;
  onAim: () => void;
}

export function Toolbar(props: Props) {
  const say = useSay(WORDS);
  const { book, mode, at, all, onGo, overlays, notes, findings } = props;
  const rtl = book.direction === "rtl";
  const toggle = (key: keyof Overlays) => (
    <Button
      aria-pressed={overlays[key]}
      data-testid={`page-${key}`}
      onClick={() => props.onOverlays({ ...overlays, [key]: !overlays[key] })}
    >
      {say(key)}
    </Button>
  );
  return (
    <div class="lk-bar lk-page-bar">
      <div class="lk-page-turn" dir={rtl ? "rtl" : "ltr"}>
        <Button
          aria-label={say("previous")}
          title={`${say("previous")} (PageUp)`}
          disabled={at <= 0}
          data-testid="page-previous"
          onClick={() => onGo(at - 1)}
        >
          {"‹" /* mirrored by itself where one reads from right to left */}
        </Button>
        <span data-testid="page-place" dir="auto">
          <b>{props.title}</b> <span class="lk-soft">{say("place", { at: at + 1, all })}</span>
        </span>
        <Button
          aria-label={say("next")}
          title={`${say("next")} (PageDown)`}
          disabled={at >= all - 1}
          data-testid="page-next"
          onClick={() => onGo(at + 1)}
        >
          ›
        </Button>
      </div>
      <span class="lk-soft" data-testid="page-revision">
        {say("at", { revision: book.revision })}
      </span>
      <Choice
        label={say("mode")}
        value={mode}
        options={[
          { value: "page", label: say("page"), testid: "page-mode-page" },
          { value: "spread", label: say("spread"), testid: "page-mode-spread" },
          { value: "strip", label: say("strip"), testid: "page-mode-strip" },
        ]}
        onChange={props.onMode}
        testid="page-mode"
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot lie in a row */}
      <span role="group" aria-label={say("shown")} class="lk-bar">
        {toggle("outlines")}
        {toggle("reading")}
        {toggle("guides")}
        <Button aria-pressed={notes.shown} disabled={!notes.able} data-testid="page-notes" onClick={notes.toggle}>
          {say("notes", { n: notes.able ? notes.count : "" })}
        </Button>
        <Button aria-pressed={findings.shown} asks data-testid="page-findings-toggle" onClick={findings.toggle}>
          {say("findings")}
        </Button>
      </span>
      <Button
        asks
        aria-pressed={props.aiming}
        disabled={!notes.able}
        title={notes.able ? undefined : say("oldNote", { revision: book.revision })}
        data-testid="page-annotate"
        onClick={props.onAim}
      >
        {say("annotate")}
      </Button>
    </div>
  );
}
