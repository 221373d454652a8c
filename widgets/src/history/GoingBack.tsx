// Dialogs in which a person goes back: each says what will happen before it does, on the head that was looked at.
import { useId, useState } from "preact/hooks";
import { useAsked, useDeed } from "../kit/asked.ts";
import { Button, Dialog, ProgressBar } from "../kit/kit.tsx";
import { useSay } from "../shell.tsx";
import { Buttons, Told } from "./Preview.tsx";
import type { Restoring } from "./shapes.ts";
import type { HistoryStore } from "./store.ts";
import { Trouble } from "./Trouble.tsx";
import { WORDS } from "./words.ts";

export function RestoreDialog({ store, id, onClose }: { store: HistoryStore; id: string; onClose: () => void }) {
  const say = useSay(WORDS);
  const [again, setAgain] = useState(0);
  const [reason, setReason] = useState("");
  const deed = useDeed();
  const name = useId();
  const asked = useAsked<Restoring>("restoring", { revision: id }, again);
  const { data } = asked;
  const possible = data?.working && !data.same;
  const restore = () =>
    deed.run(async () => {
      if (data === undefined) return;
      const made = await store.ask<{ revision: string }>("restore", { revision: id, reason, expected: data.head });
      onClose();
      await store.did(made.revision, say("restored", { id, made: made.revision }));
    });
  return (
    <Dialog title={say("restoreTitle", { id })} onClose={onClose} testid="history-restore-dialog">
      {asked.busy && <ProgressBar progress={{ done: 0, total: 0, words: say("working") }} />}
      <Trouble error={asked.error} />
      {data !== undefined && !data.working && <p>{say("restoreDraft", { id })}</p>}
      {data?.working && data.same && <p data-testid="history-same">{say("restoreSame", { id })}</p>}
      {data !== undefined && possible && (
        <>
          <p data-testid="history-restore-says">{say("restoreSays", { id, head: data.head })}</p>
          <h4>{say("restoreWhat")}</h4>
          <Told preview={data} />
          <label htmlFor={name}>{say("why")}</label>
          <textarea
            id={name}
            class="lk-input"
            rows={2}
            maxLength={400}
            placeholder={say("whyNeeded")}
            value={reason}
            data-testid="history-reason"
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </>
      )}
      <Trouble
        error={deed.error}
        onAgain={() => {
          deed.forget();
          setAgain(again + 1);
        }}
      />
      <Buttons owner={data?.owner ?? ""} onClose={onClose} closing={say(possible ? "cancel" : "close")}>
        {possible && (
          <Button
            asks
            tone="primary"
            disabled={reason.trim() === "" || deed.busy || asked.busy}
            data-testid="history-restore-do"
            onClick={() => void restore()}
          >
            {say("restoreDo")}
          </Button>
        )}
      </Buttons>
    </Dialog>
  );
}

export function SaveDialog({ store, onClose }: { store: HistoryStore; onClose: () => void }) {
  const say = useSay(WORDS);
  const [title, setTitle] = useState("");
  const deed = useDeed();
  const name = useId();
  const [head, setHead] = useState(store.steps.value?.head ?? store.overview.value?.head ?? "");
  const save = () =>
    deed.run(async () => {
      const made = await store.ask<{ saved: string; revision: string }>("save", { title, expected: head });
      onClose();
      await store.did(made.saved, say("savedDone", { head: made.revision, id: made.saved }));
    });
  return (
    <Dialog title={say("saveTitle", { head })} onClose={onClose} testid="history-save-dialog">
      <label htmlFor={name}>{say("saveName")}</label>
      <input
        id={name}
        class="lk-input"
        maxLength={120}
        value={title}
        data-testid="history-save-title"
        onInput={(event) => setTitle(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && title.trim() !== "" && !deed.busy) void save();
        }}
      />
      <Trouble
        error={deed.error}
        onAgain={() => {
          deed.forget();
          setHead(store.overview.value?.head ?? head);
        }}
      />
      <Buttons owner={store.steps.value?.owner ?? ""} onClose={onClose} closing={say("cancel")}>
        <Button
          asks
          tone="primary"
          disabled={title.trim() === "" || deed.busy}
          data-testid="history-save-do"
          onClick={() => void save()}
        >
          {say("saveDo")}
        </Button>
      </Buttons>
    </Dialog>
  );
}

/** Undo, redo and save, for the work as it stands. */
export function WorkBar({ store, onSave }: { store: HistoryStore; onSave: () => void }) {
  const say = useSay(WORDS);
  const deed = useDeed();
  const steps = store.steps.value;
  const step = (which: "undo" | "redo") =>
    deed.run(async () => {
      if (steps === undefined) return;
      const made = await store.ask<{ revision: string }>(which, { expected: steps.head });
      await store.did(made.revision, say(which === "undo" ? "undone" : "redone", { made: made.revision }));
    });
  const words = (which: "undo" | "redo") => {
    const to = steps?.[which];
    if (!to) return say(which === "undo" ? "nothingToUndo" : "nothingToRedo");
    return say(which === "undo" ? "undoTo" : "redoTo", { id: to });
  };
  return (
    <>
      <div class="lk-group">
        {(["undo", "redo"] as const).map((which) => (
          <Button
            key={which}
            asks
            disabled={!steps?.[which] || deed.busy}
            title={words(which)}
            data-testid={`history-${which}`}
            onClick={() => void step(which)}
          >
            {say(which)}
          </Button>
        ))}
      </div>
      <Button asks disabled={steps === undefined} data-testid="history-save" onClick={onSave}>
        {say("save")}
      </Button>
      <Trouble
        error={deed.error}
        onAgain={() => {
          deed.forget();
          void store.sync();
        }}
      />
    </>
  );
}
