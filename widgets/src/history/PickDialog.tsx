// Taking single things of an earlier revision into the work; what comes of it is told before it is done.
import { useEffect, useId, useState } from "preact/hooks";
import { useAsked, useDeed, useLife } from "../kit/asked.ts";
import { Button, Dialog, ProgressBar } from "../kit/kit.tsx";
import { useSay, useShared } from "../shell.tsx";
import { Buttons, Told } from "./Preview.tsx";
import type { Differing, Pickable, Picking } from "./shapes.ts";
import type { HistoryStore } from "./store.ts";
import { Trouble } from "./Trouble.tsx";
import { WORDS } from "./words.ts";

const PAUSE = 150;
const PAGE = 50;
const MOST = 100;

export function PickDialog({ store, id, onClose }: { store: HistoryStore; id: string; onClose: () => void }) {
  const say = useSay(WORDS);
  const [again, setAgain] = useState(0);
  const [things, setThings] = useState<Pickable[]>([]);
  const [chosen, setChosen] = useState<string[]>([]);
  const [unit, setUnit] = useState("");
  const [reason, setReason] = useState("");
  const deed = useDeed();
  const more = useDeed();
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
  const further = () =>
    more.run(async () => {
      const args = { revision: id, start: things.length, count: PAGE };
      const next = await link.ask<Differing>("differing", args, { signal: life });
      setThings([...things, ...next.data.things]);
    });
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
          <Trouble error={more.error} />
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
