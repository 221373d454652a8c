// One annotation: its words, where it points, what was said since, and what its person may do with it.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useAsked } from "../kit/asked.ts";
import { Button, Dialog, ErrorBox } from "../kit/kit.tsx";
import { useUrls } from "../kit/pictures.ts";
import { exact } from "../kit/time.ts";
import { useSay, useShared } from "../shell.tsx";
import { isSettled, type Note, type Reference } from "./note.ts";
import { WORDS } from "./words.ts";

interface Props {
  note: Note;
  current: boolean;
  busy: boolean;
  onGo: (reference: Reference) => void;
  /** Each says whether it was done. */
  onEdit: (words: string) => Promise<boolean>;
  onReply: (words: string) => Promise<boolean>;
  onSettle: (to: "resolve" | "shelve" | "reopen" | "delete") => Promise<boolean>;
}

export function NoteCard({ note, current, busy, onGo, onEdit, onReply, onSettle }: Props) {
  const say = useSay(WORDS);
  const { language } = useShared();
  const writing = useSignal<"edit" | "reply" | "">("");
  const words = useSignal("");
  const sure = useSignal(false);
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (current) card.current?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const when = (at: string) => exact(Date.parse(at), language);
  const begin = (what: "edit" | "reply") => {
    writing.value = what;
    words.value = what === "edit" ? note.body : "";
  };
  const send = async () => {
    const done = await (writing.value === "edit" ? onEdit(words.value) : onReply(words.value));
    if (done) writing.value = "";
  };
  const settled = isSettled(note);
  return (
    <li
      class="lk-notes-card"
      data-testid="notes-card"
      data-note={note.id}
      data-state={note.state}
      data-current={current}
      ref={card}
    >
      <p class="lk-notes-head">
        <span class="lk-code">{note.id}</span>
        <span class={`lk-notes-state lk-notes-${note.state}`} data-testid="notes-state">
          {say(note.state, { draft: note.draft, proposal: note.proposal })}
        </span>
        <span class="lk-soft">
          {note.actor}, <time dateTime={note.created_at}>{when(note.created_at)}</time>
        </span>
      </p>
      <blockquote class="lk-notes-body">{note.body}</blockquote>
      <ol class="lk-notes-references">
        {note.references.map((reference) => (
          <ReferenceRow key={reference.place} reference={reference} onGo={() => onGo(reference)} />
        ))}
      </ol>
      {note.attachments.map((attached) => (
        <Attached key={attached.asset} note={note.id} {...attached} />
      ))}
      {note.messages.map((message, place) => (
        <p key={place} class="lk-notes-message" data-testid="notes-message">
          <strong>{message.actor}</strong> <span class="lk-soft">{when(message.at)}</span>
          <br />
          {message.body}
        </p>
      ))}
      {writing.value ? (
        <form
          class="lk-notes-form"
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <textarea
            class="lk-input lk-notes-words"
            rows={2}
            aria-label={say(writing.value === "edit" ? "words" : "reply_words")}
            data-testid="notes-answer"
            value={words.value}
            onInput={(event) => {
              words.value = event.currentTarget.value;
            }}
          />
          <div class="lk-bar">
            <Button asks type="submit" tone="primary" data-testid="notes-send" disabled={busy || !words.value.trim()}>
              {say("save")}
            </Button>
            <Button
              onClick={() => {
                writing.value = "";
              }}
            >
              {say("cancel")}
            </Button>
          </div>
        </form>
      ) : (
        <div class="lk-bar">
          <Button asks data-testid="notes-reply" onClick={() => begin("reply")}>
            {say("reply")}
          </Button>
          <Button asks data-testid="notes-edit" onClick={() => begin("edit")}>
            {say("edit")}
          </Button>
          {!settled && (
            <Button asks data-testid="notes-resolve" disabled={busy} onClick={() => void onSettle("resolve")}>
              {say("resolve")}
            </Button>
          )}
          {!settled && (
            <Button asks data-testid="notes-shelve" disabled={busy} onClick={() => void onSettle("shelve")}>
              {say("shelve")}
            </Button>
          )}
          {note.state !== "open" && (
            <Button asks data-testid="notes-reopen" disabled={busy} onClick={() => void onSettle("reopen")}>
              {say("reopen")}
            </Button>
          )}
          <Button
            asks
            tone="danger"
            data-testid="notes-delete"
            disabled={busy}
            onClick={() => {
              sure.value = true;
            }}
          >
            {say("delete")}
          </Button>
        </div>
      )}
      {sure.value && (
        <Dialog
          title={say("delete_sure", { id: note.id })}
          testid="notes-sure"
          onClose={() => {
            sure.value = false;
          }}
        >
          <blockquote class="lk-notes-body">{note.body}</blockquote>
          <div class="lk-bar">
            <Button asks tone="danger" data-testid="notes-delete-sure" onClick={() => void onSettle("delete")}>
              {say("delete")}
            </Button>
            <Button
              onClick={() => {
                sure.value = false;
              }}
            >
              {say("cancel")}
            </Button>
          </div>
        </Dialog>
      )}
    </li>
  );
}

function ReferenceRow({ reference, onGo }: { reference: Reference; onGo: () => void }) {
  const say = useSay(WORDS);
  const { place, title, name, kind, unit, resolution } = reference;
  const what = name ? `${title}: ${name}` : kind === "point" ? say("place", { title }) : title || reference.target;
  const gone = unit === null;
  return (
    <li data-testid="notes-reference" data-resolution={resolution}>
      <Button
        class="lk-notes-go"
        aria-label={say("goto", { n: place, what })}
        disabled={gone}
        data-testid="notes-go"
        onClick={onGo}
      >
        {place}
      </Button>{" "}
      {gone ? reference.target : what}{" "}
      <span class={`lk-soft lk-notes-${resolution}`}>{say(gone ? "missing_page" : resolution)}</span>
    </li>
  );
}

function Attached({ note, asset, title }: { note: string; asset: string; title: string }) {
  const { buffers, error } = useAsked("note.picture", { note, asset });
  const [source] = useUrls(buffers);
  return (
    <figure class="lk-notes-attached">
      {source && <img src={source} alt={title} />}
      <figcaption class="lk-soft">
        {title} <span class="lk-code">{asset}</span>
      </figcaption>
      <ErrorBox error={error} testid="notes-attached-error" />
    </figure>
  );
}
