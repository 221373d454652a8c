// What people wrote about a chapter: where each annotation points, what was said since, how it stands; and new ones.
import { useComputed, useSignal } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";
import { useLife } from "../kit/asked.ts";
import { Button, Choice, ErrorBox, UnitChooser } from "../kit/kit.tsx";
import { isAbort } from "../link.ts";
import { useSay, useShared } from "../shell.tsx";
import type { Mark, Point, Sheet, Thing } from "../viewer/sheet.ts";
import { Viewer, type ViewerHandle } from "../viewer/Viewer.tsx";
import { NoteCard } from "./NoteCard.tsx";
import { type Aim, chosen, isSettled, marksOf, type Note, pointed, type Reference, type Shown } from "./note.ts";
import { WORDS } from "./words.ts";

interface UnitLine {
  unit: string;
  title: string;
}

interface Kept {
  unit?: string;
  shown?: Shown;
}

const ROUND = 25;

export function AnnotationPanel() {
  const { link, model, announce } = useShared();
  const say = useSay(WORDS);
  const kept = (model.get("state") ?? {}) as Kept;
  const notes = useSignal<Note[]>([]);
  const revision = useSignal("");
  const units = useSignal<UnitLine[]>([]);
  const unit = useSignal(kept.unit ?? "");
  const sheet = useSignal<Sheet | undefined>(undefined);
  const shown = useSignal<Shown>(kept.shown ?? "unsettled");
  const current = useSignal("");
  const aims = useSignal<Aim[] | undefined>(undefined);
  const body = useSignal("");
  const error = useSignal<unknown>(undefined);
  const loaded = useSignal(false);
  const busy = useSignal(false);
  const viewer = useRef<ViewerHandle | null>(null);
  const fly = useRef<Point | undefined>(undefined);
  const life = useLife();

  const guarded = useCallback(
    async (step: () => Promise<void>): Promise<boolean> => {
      try {
        await step();
        error.value = undefined;
        return true;
      } catch (thrown) {
        if (!isAbort(thrown)) error.value = thrown;
        return false;
      }
    },
    [error],
  );

  const show = useCallback(
    (wanted: string) =>
      guarded(async () => {
        if (wanted === "") return;
        unit.value = wanted;
        const { data } = await link.ask<Sheet>("sheet", { source: "head", unit: wanted }, { signal: life });
        if (unit.value !== wanted) return;
        sheet.value = data;
      }),
    [guarded, link, life, unit, sheet],
  );

  const load = useCallback(
    () =>
      guarded(async () => {
        const [told, listed] = await Promise.all([
          link.ask<{ revision: string; notes: Note[] }>("notes", {}, { signal: life }),
          link.ask<{ units: UnitLine[] }>("units", { source: "head" }, { signal: life }),
        ]);
        notes.value = told.data.notes;
        revision.value = told.data.revision;
        units.value = listed.data.units;
        loaded.value = true;
        const there = units.value.some((line) => line.unit === unit.value);
        const first = chosen(notes.value, shown.value).flatMap((note) => note.references)[0]?.unit;
        await show(there ? unit.value : (first ?? units.value[0]?.unit ?? ""));
      }),
    [guarded, link, life, notes, revision, units, unit, shown, loaded, show],
  );

  useEffect(() => {
    void load();
    const stop = link.on("moved", () => void load());
    return stop;
  }, [load, link]);

  const keep = (state: Kept) => {
    model.set("state", { unit: unit.value, shown: shown.value, ...state });
    model.save_changes();
  };

  const put = (id: string, note: Note | null) => {
    const rest = notes.value.filter((item) => item.id !== id);
    notes.value =
      note === null
        ? rest
        : notes.value.some((item) => item.id === id)
          ? notes.value.map((item) => (item.id === id ? note : item))
          : [...rest, note];
  };

  const act = (name: string, args: Record<string, unknown>, done?: string) =>
    guarded(async () => {
      busy.value = true;
      try {
        const { data } = await link.ask<{ note: Note | null }>(name, args, { signal: life });
        put(data.note?.id ?? String(args.note), data.note);
        if (done) announce(done);
      } finally {
        busy.value = false;
      }
    });

  const write = () =>
    guarded(async () => {
      busy.value = true;
      try {
        const on = (aims.value ?? []).map((aim) => pointed(aim, "thing"));
        const asked = link.ask<{ note: Note }>("note.write", { body: body.value, on }, { signal: life });
        const { note } = (await asked).data;
        put(note.id, note);
        aims.value = undefined;
        body.value = "";
        current.value = note.id;
        announce(say("saved", { id: note.id }));
      } finally {
        busy.value = false;
      }
    });

  const go = async (note: Note, reference: Reference) => {
    current.value = note.id;
    if (reference.unit === null || reference.at === null) return;
    fly.current = reference.at;
    if (reference.unit !== sheet.value?.unit) {
      keep({ unit: reference.unit });
      await show(reference.unit);
    } else flown();
  };

  const flown = () => {
    if (fly.current === undefined) return;
    const [x, y] = fly.current;
    fly.current = undefined;
    viewer.current?.flyTo([x - ROUND, y - ROUND, 2 * ROUND, 2 * ROUND]);
  };
  useEffect(flown, [sheet.value?.unit]);

  const listed = chosen(notes.value, shown.value);
  const counts = useComputed(() => {
    const settled = notes.value.filter(isSettled).length;
    return { settled, unsettled: notes.value.length - settled, all: notes.value.length };
  });
  const marks: Mark[] = aims.value
    ? aims.value
        .filter((aim) => aim.unit === unit.value)
        .map((aim, place) => ({
          id: `aim-${place}`,
          kind: "pin",
          tone: "add",
          label: aim.thing?.name ?? say("place", { title: aim.title }),
          text: String(place + 1),
          at: aim.point,
          unit: aim.unit,
        }))
    : marksOf(listed, unit.value, current.value, (id) => {
        current.value = id;
      });

  const point = (at: Point, thing: Thing | undefined, on: Sheet) => {
    if (aims.value === undefined) return;
    aims.value = [...aims.value, { unit: on.unit, title: on.title, point: at, thing }];
  };

  return (
    <section aria-label={say("title")} class="lk-notes">
      <div class="lk-bar">
        <h3>{say("title")}</h3>
        {revision.value && <span class="lk-soft">{say("working", { revision: revision.value })}</span>}
        <Choice
          label={say("show")}
          value={shown.value}
          testid="notes-shown"
          options={(["unsettled", "settled", "all"] as const).map((value) => ({
            value,
            label: say(value, { n: counts.value[value] }),
            testid: `notes-${value}`,
          }))}
          onChange={(value) => {
            shown.value = value;
            keep({ shown: value });
          }}
        />
        {aims.value === undefined && (
          <Button
            asks
            tone="primary"
            data-testid="notes-write"
            disabled={units.value.length === 0}
            onClick={() => {
              aims.value = [];
            }}
          >
            {say("write")}
          </Button>
        )}
      </div>
      <ErrorBox error={error.value} testid="notes-error" />
      <div class="lk-notes-sides">
        <div class="lk-notes-page">
          <div class="lk-bar">
            <UnitChooser
              label={say("page")}
              value={unit.value}
              units={units.value}
              testid="notes-unit"
              onChoose={(chosen) => {
                keep({ unit: chosen });
                void show(chosen);
              }}
            />
          </div>
          {sheet.value ? (
            <Viewer
              sheet={sheet.value}
              overlays={{ outlines: aims.value !== undefined, reading: false, guides: false }}
              marks={marks}
              aiming={aims.value !== undefined}
              onPoint={point}
              onStale={() => void load()}
              handle={viewer}
              label={sheet.value.title}
            />
          ) : (
            loaded.value && units.value.length === 0 && <p class="lk-soft">{say("empty")}</p>
          )}
        </div>
        <div class="lk-notes-list">
          {aims.value !== undefined && (
            <form
              class="lk-notes-form"
              data-testid="notes-form"
              onSubmit={(event) => {
                event.preventDefault();
                void write();
              }}
            >
              <p class="lk-soft">{say("aim")}</p>
              <ol class="lk-notes-aims">
                {aims.value.map((aim, place) => (
                  <li key={place} data-testid="notes-aim">
                    {place + 1}. {aim.thing ? `${aim.title}: ${aim.thing.name}` : say("place", { title: aim.title })}{" "}
                    <Button
                      aria-label={say("drop", { n: place + 1 })}
                      onClick={() => {
                        aims.value = aims.value?.filter((_, other) => other !== place);
                      }}
                    >
                      ×
                    </Button>
                  </li>
                ))}
              </ol>
              <label>
                {say("words")}
                <textarea
                  class="lk-input lk-notes-words"
                  rows={3}
                  maxLength={4_000}
                  value={body.value}
                  data-testid="notes-body"
                  onInput={(event) => {
                    body.value = event.currentTarget.value;
                  }}
                />
              </label>
              <div class="lk-bar">
                <Button
                  asks
                  type="submit"
                  tone="primary"
                  data-testid="notes-save"
                  disabled={busy.value || body.value.trim() === ""}
                >
                  {say("save")}
                </Button>
                <Button
                  data-testid="notes-cancel"
                  onClick={() => {
                    aims.value = undefined;
                  }}
                >
                  {say("cancel")}
                </Button>
              </div>
            </form>
          )}
          {loaded.value && listed.length === 0 && (
            <p class="lk-soft" data-testid="notes-none">
              {say(notes.value.length === 0 ? "none" : "none_such")}
            </p>
          )}
          <ul aria-label={say("list")} data-testid="notes-list">
            {listed.map((note) => (
              <NoteCard
                key={note.id}
                note={note}
                current={note.id === current.value}
                busy={busy.value}
                onGo={(reference) => void go(note, reference)}
                onEdit={(words) => act("note.edit", { note: note.id, body: words })}
                onReply={(words) => act("note.reply", { note: note.id, body: words })}
                onSettle={(to) =>
                  act(
                    "note.settle",
                    { note: note.id, to },
                    to === "delete" ? say("deleted", { id: note.id }) : undefined,
                  )
                }
              />
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}
