// Beside the picture: facts of what is selected, an annotation that is read, what the checks find.
import type { ComponentChildren } from "preact";
import { useAsked } from "../kit/asked.ts";
import { Button, ErrorBox } from "../kit/kit.tsx";
import type { Note } from "../notes/note.ts";
import { WORDS as NOTE_WORDS } from "../notes/words.ts";
import { useSay } from "../shell.tsx";
import type { Sheet, Thing } from "../viewer/sheet.ts";
import { Copy } from "./Copy.tsx";
import type { Finding } from "./marks.ts";
import { WORDS } from "./words.ts";

export function Side(props: { title: string; testid: string; onClose: () => void; children: ComponentChildren }) {
  const say = useSay(WORDS);
  return (
    <section class="lk-page-side" aria-label={props.title} data-testid={props.testid}>
      <div class="lk-page-side-head">
        <h4>{props.title}</h4>
        <button type="button" class="lk-button" aria-label={say("close")} title={say("close")} onClick={props.onClose}>
          ×
        </button>
      </div>
      {props.children}
    </section>
  );
}

export function Selected(props: { thing: Thing; sheet: Sheet; onClose: () => void; onAnnotate: () => void }) {
  const { thing, sheet, onClose, onAnnotate } = props;
  const say = useSay(WORDS);
  const args = { source: sheet.source, unit: sheet.unit, object: thing.id };
  const { data, error } = useAsked<{ rows: [string, string][] }>("facts", args, `${sheet.revision} ${thing.handle}`);
  return (
    <Side title={thing.name} testid="page-selected" onClose={onClose}>
      <Copy key={thing.handle} text={thing.handle} testid="page-handle" />
      {thing.locked !== "" && <p class="lk-warning">{say("locked", { why: thing.locked })}</p>}
      <dl class="lk-page-facts" aria-label={say("facts", { name: thing.name })} data-testid="page-facts">
        {data?.rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <ErrorBox error={error} testid="page-facts-error" />
      <Button asks data-testid="page-annotate-this" onClick={onAnnotate}>
        {say("annotate")}
      </Button>
    </Side>
  );
}

export function NoteRead({ note, number, onClose }: { note: Note; number: number; onClose: () => void }) {
  const say = useSay(WORDS);
  const told = useSay(NOTE_WORDS);
  const state = told(note.state, { draft: note.draft, proposal: note.proposal });
  return (
    <Side title={say("note", { n: number, words: "" }).replace(/[:：]\s*$/, "")} testid="page-note" onClose={onClose}>
      <p class="lk-soft">{say("noteBy", { id: note.id, state, actor: note.actor })}</p>
      <blockquote class="lk-page-words">{note.body}</blockquote>
      <ul>
        {note.references.map((reference) => (
          <li key={reference.place}>
            {[reference.title, reference.name, told(reference.unit === null ? "missing_page" : reference.resolution)]
              .filter(Boolean)
              .join(" · ")}
          </li>
        ))}
      </ul>
      <p class="lk-soft">{say("noteHow")}</p>
    </Side>
  );
}

export function Found(props: {
  findings: readonly Finding[] | undefined;
  onShow: (finding: Finding) => void;
  onClose: () => void;
}) {
  const say = useSay(WORDS);
  return (
    <Side title={say("findings")} testid="page-findings" onClose={props.onClose}>
      {props.findings?.length === 0 && <p class="lk-soft">{say("noFindings")}</p>}
      <ul class="lk-page-found">
        {props.findings?.map((finding) => (
          <li key={finding.id}>
            <button
              type="button"
              class="lk-page-finding"
              data-testid="page-finding"
              data-severity={finding.severity}
              onClick={() => props.onShow(finding)}
            >
              <b>{say(finding.severity === "note" ? "remark" : finding.severity)}</b> {finding.name}: {finding.message}
            </button>
          </li>
        ))}
      </ul>
    </Side>
  );
}
