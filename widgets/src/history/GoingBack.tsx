// Dialogs in which a person goes back: each says what will happen before it does, on the head that was looked at.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { useAsked, useLife } from "../kit/asked.ts";
import { Button, Dialog, ProgressBar } from "../kit/kit.tsx";
import { isAbort } from "../link.ts";
import { useSay, useShared } from "../shell.tsx";
import { UnitList } from "./Difference.tsx";
import type { Differing, Pickable, Picking, Preview, Restoring } from "./shapes.ts";
import type { HistoryStore } from "./store.ts";
import { Trouble } from "./Trouble.tsx";
import { WORDS } from "./words.ts";

const PAUSE = 150;
const PAGE = 50;
const MOST = 100;

/** Ask for a deed; what is refused stands in `error` until the next try. */
function useDeed() {
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const run = async (deed: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    try {
      await deed();
    } catch (thrown) {
      if (!isAbort(thrown)) setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return { error, busy, run, forget: () => setError(undefined) };
}

function Buttons(props: { children: ComponentChildren; owner: string; onClose: () => void; closing: string }) {
  const say = useSay(WORDS);
  return (
    <div class="lk-bar lk-history-buttons">
      {props.children}
      <Button data-testid="history-cancel" onClick={props.onClose}>
        {props.closing}
      </Button>
      {props.owner !== "" && <span class="lk-soft">{say("as", { who: props.owner })}</span>}
    </div>
  );
}

/** What would change, and what of it agents are kept from. */
function Told({ preview }: { preview: Preview }) {
  const say = useSay(WORDS);
  const more = preview.units_total - preview.units.length;
  return (
    <>
      <div class="lk-history-preview" data-testid="history-preview">
        <UnitList units={preview.units} />
        {more > 0 && <p class="lk-soft">{say("more", { n: more })}</p>}
      </div>
      {preview.locked.map((lock) => (
        <p key={lock.name} class="lk-warning" data-testid="history-locked">
          {say(lock.reason === "" ? "lockedPlain" : "locked", lock)}
        </p>
      ))}
    </>
  );
}

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

export function PickDialog({ store, id, onClose }: { store: HistoryStore; id: string; onClose: () => void }) {
  const say = useSay(WORDS);
  const [again, setAgain] = useState(0);
  const [things, setThings] = useState<Pickable[]>([]);
  const [chosen, setChosen] = useState<string[]>([]);
  const [unit, setUnit] = useState("");
  const [reason, setReason] = useState("");
  const [more, setMore] = useState<unknown>();
  const deed = useDeed();
  const { link } = useShared();
  const life = useLife();
  const name = useId();
  const asked = useAsked<Differing>("differing", { revision: id, start: 0, count: PAGE }, again);
  const { data } = asked;
  useEffect(() => {
    if (data === undefined) return;
    setThings(data.things);
    setChosen((before) => before.filter((thing) => data.things.some((item) => item.thing === thing)));
  }, [data]);
  const picking = useAsked<Picking>(
    "picking",
    chosen.length === 0 || chosen.length > MOST ? undefined : { revision: id, things: chosen },
    again,
    PAUSE,
  );
  const further = async () => {
    try {
      const args = { revision: id, start: things.length, count: PAGE };
      const next = await link.ask<Differing>("differing", args, { signal: life });
      setThings([...things, ...next.data.things]);
      setMore(undefined);
    } catch (thrown) {
      if (!isAbort(thrown)) setMore(thrown);
    }
  };
  const pick = () =>
    deed.run(async () => {
      if (picking.data === undefined) return;
      const { head } = picking.data;
      const made = await store.ask<{ revision: string }>("pick", {
        revision: id,
        things: chosen,
        reason,
        expected: head,
      });
      onClose();
      await store.did(made.revision, say("picked", { id, made: made.revision }));
    });
  const units = new Map(things.map((thing) => [thing.unit, thing.title]));
  const shown = things.filter((thing) => unit === "" || thing.unit === unit);
  const turn = (thing: string, on: boolean) =>
    setChosen((before) => (on ? [...before, thing] : before.filter((other) => other !== thing)));
  return (
    <Dialog title={say("pickTitle", { id })} onClose={onClose} testid="history-pick-dialog">
      <p>{say("pickSays", { id })}</p>
      {asked.busy && (
        <ProgressBar
          progress={
            asked.progress ? { ...asked.progress, words: say("working") } : { done: 0, total: 0, words: say("working") }
          }
        />
      )}
      <Trouble error={asked.error} />
      {data !== undefined && data.total === 0 && <p data-testid="history-same">{say("pickNone")}</p>}
      {data !== undefined && data.total > 0 && (
        <div class="lk-history-pick">
          {units.size > 1 && (
            <label>
              {say("pickFilter")}{" "}
              <select
                class="lk-input"
                value={unit}
                data-testid="history-pick-unit"
                onChange={(event) => setUnit(event.currentTarget.value)}
              >
                <option value="">{say("allPages")}</option>
                {[...units].map(([value, title]) => (
                  <option key={value} value={value}>
                    {title}
                  </option>
                ))}
              </select>
            </label>
          )}
          <ul class="lk-history-things" data-testid="history-things">
            {shown.map((thing) => (
              <li key={thing.thing} class={thing.whole ? "lk-history-whole" : ""} data-thing={thing.thing}>
                <label>
                  <input
                    type="checkbox"
                    checked={chosen.includes(thing.thing)}
                    onChange={(event) => turn(thing.thing, event.currentTarget.checked)}
                  />{" "}
                  <strong>{thing.name}</strong>
                  {thing.whole && <span class="lk-soft"> · {say("pickWhole")}</span>}
                  {thing.gone && <span class="lk-soft"> · {say("pickGone")}</span>}
                </label>
                {!thing.whole && (
                  <p class="lk-soft">
                    {thing.words}
                    {thing.more > 0 && ` · ${say("andMore", { n: thing.more })}`}
                  </p>
                )}
                {thing.refused !== "" && (
                  <p class="lk-history-bad" data-testid="history-refused">
                    {say("pickRefused", { why: thing.refused })}
                  </p>
                )}
              </li>
            ))}
          </ul>
          {things.length < data.total && (
            <Button asks data-testid="history-more-things" onClick={() => void further()}>
              {say("moreSentences", { n: data.total - things.length })}
            </Button>
          )}
          <Trouble error={more} />
          {data.newer > 0 && <p class="lk-soft">{say("pickNewer", { n: data.newer })}</p>}
          {chosen.length > MOST && <p class="lk-warning">{say("pickMany")}</p>}
          {picking.error !== undefined && (
            <>
              <h4>{say("pickFails")}</h4>
              <Trouble error={picking.error} testid="history-pick-refused" />
            </>
          )}
          {picking.data !== undefined && (
            <div data-testid="history-picking">
              <h4>{say("restoreWhat")}</h4>
              {picking.data.same && <p>{say("pickSame")}</p>}
              {picking.data.comes.length > 0 && (
                <p class="lk-warning" data-testid="history-comes">
                  {say("pickComes", { what: picking.data.comes.join(" · ") })}
                </p>
              )}
              {picking.data.goes.length > 0 && (
                <p class="lk-warning" data-testid="history-goes">
                  {say("pickGoes", { what: picking.data.goes.join(" · ") })}
                </p>
              )}
              <Told preview={picking.data} />
            </div>
          )}
          <label htmlFor={name}>{say("why")}</label>
          <input
            id={name}
            class="lk-input"
            maxLength={400}
            value={reason}
            data-testid="history-reason"
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </div>
      )}
      <Trouble
        error={deed.error}
        onAgain={() => {
          deed.forget();
          setAgain(again + 1);
        }}
      />
      <Buttons owner={data?.owner ?? ""} onClose={onClose} closing={say(data?.total ? "cancel" : "close")}>
        {data !== undefined && data.total > 0 && (
          <Button
            asks
            tone="primary"
            disabled={picking.data === undefined || picking.data.same || deed.busy}
            data-testid="history-pick-do"
            onClick={() => void pick()}
          >
            {say("pickDo")} {chosen.length > 0 && `(${chosen.length})`}
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
