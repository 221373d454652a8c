// PageView: a chapter to look through, page by page, in pairs or as a strip; what is selected can be read and annotated.
import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Button, ErrorBox } from "../kit/kit.tsx";
import type { Aim } from "../notes/note.ts";
import { useSay, useShared } from "../shell.tsx";
import type { Leaf, Mark, Overlays, Point, Sheet, Thing } from "../viewer/sheet.ts";
import { leafOf } from "../viewer/sheet.ts";
import { Viewer, type ViewerHandle, type ViewerProps } from "../viewer/Viewer.tsx";
import { type Book, instead, laid, openingOf, openings, unitsOf } from "./book.ts";
import { Filmstrip } from "./Filmstrip.tsx";
import { aimMark, findingBoxes, notePins } from "./marks.ts";
import { NoteForm } from "./NoteForm.tsx";
import { useFindings, useNotes } from "./remarks.ts";
import { Found, NoteRead, Selected } from "./Side.tsx";
import { Strip } from "./Strip.tsx";
import { Shelf } from "./shelf.ts";
import { type Arrangement, Toolbar } from "./Toolbar.tsx";
import { Thumbs } from "./thumbs.ts";
import { WORDS } from "./words.ts";

/** What is kept with the notebook: where one looks. */
interface Kept {
  source?: string;
  unit?: string;
  mode?: Arrangement;
  overlays?: Partial<Overlays>;
}

type Beside =
  | { what: "thing"; thing: string; unit: string }
  | { what: "note"; id: string }
  | { what: "form"; aim: Aim }
  | { what: "findings" }
  | undefined;

const SETTLED = 400;
const AHEAD = 120;

export function PageView() {
  const { link, model, announce } = useShared();
  const say = useSay(WORDS);
  const kept = useMemo(() => (model.get("state") ?? {}) as Kept, [model]);
  const [shelf] = useState(() => new Shelf(link, kept.source || "head"));
  const [thumbs] = useState(() => new Thumbs(link));
  const root = useRef<HTMLDivElement>(null);
  const viewer = useRef<ViewerHandle | null>(null);
  const [unit, setUnit] = useState(kept.unit ?? "");
  const [mode, setMode] = useState<Arrangement>(kept.mode ?? "page");
  const [overlays, setOverlays] = useState<Overlays>({
    outlines: kept.overlays?.outlines ?? false,
    reading: kept.overlays?.reading ?? false,
    guides: kept.overlays?.guides ?? false,
  });
  const [pinned, setPinned] = useState(true);
  const [checked, setChecked] = useState(false);
  const [aiming, setAiming] = useState(false);
  const [beside, setBeside] = useState<Beside>();
  const notice = useSignal("");
  const book = shelf.book.value;
  const sheets = shelf.sheets.value;
  const source = shelf.source;

  useEffect(
    () => () => {
      shelf.close();
      thumbs.close();
    },
    [shelf, thumbs],
  );

  // opening: everything for the first picture in one ask, as large as it will be shown
  const looksAt = useRef(mode);
  looksAt.current = mode;
  const open = useCallback(
    async (wanted: string, from: string) => {
      const ratio = window.devicePixelRatio || 1;
      const width = Math.round((root.current?.clientWidth || 800) * ratio);
      const height = Math.round(Math.min(640, Math.max(340, 0.72 * window.innerHeight)) * ratio);
      const screen = { screen: [width, height] as const, ratio, mode: looksAt.current };
      const shown = await shelf.open(wanted, screen, from);
      if (shown === undefined) return;
      if (wanted !== "" && shown !== wanted) notice.value = say("gone", { head: shelf.book.value?.revision ?? "" });
      setUnit(shown);
    },
    [shelf, say, notice],
  );
  useLayoutEffect(() => void open(kept.unit ?? "", shelf.source), [open, kept, shelf]);

  // the work moved on: stay at the unit, or at its place when it is gone
  const before = useRef<Book | undefined>(undefined);
  useEffect(() => {
    const was = before.current;
    before.current = book;
    if (was === undefined || book === undefined || was.revision === book.revision || source !== "head") return;
    const place = instead(was.units, book.units, unit);
    notice.value = say(place === unit ? "updated" : "gone", { head: book.revision });
    announce(notice.value);
    setUnit(place);
  }, [book, source]);

  // what lies open, and the sheets for it; then those one comes to next
  const all = useMemo(() => openings(book?.units ?? []), [book?.units]);
  const stops = useMemo(
    () => (mode === "spread" ? all.map(unitsOf) : (book?.units ?? []).map((item) => [item])),
    [mode, all, book?.units],
  );
  const at = Math.max(
    0,
    stops.findIndex((items) => items.some((item) => item.unit === unit)),
  );
  const leaves = useMemo<Leaf[]>(() => {
    if (!book || mode === "strip") return [];
    const opening = all[openingOf(all, unit)];
    if (mode === "spread" && opening) return laid(opening, book.binding, sheets);
    const sheet = sheets.get(unit);
    const facts = book.units.find((item) => item.unit === unit);
    if (sheet) return [leafOf(sheet)];
    return facts ? [{ sheet: null, unit, at: [0, 0], area: [0, 0, facts.width, facts.height] }] : [];
  }, [book, mode, all, unit, sheets]);
  const [inSight, setInSight] = useState<string[]>([]);
  const shown = mode === "strip" ? inSight : (stops[at] ?? []).map((item) => item.unit);
  const names = shown.join();
  useEffect(() => {
    if (!book || names === "") return;
    let left = false;
    let later: ReturnType<typeof setTimeout> | undefined;
    void shelf.need(names.split(",")).then(() => {
      const near = [stops[at + 1], stops[at - 1]].flatMap((items) => items ?? []).map((item) => item.unit);
      const pane = root.current?.querySelector<HTMLElement>("[data-testid=viewer]");
      if (left || mode === "strip" || !pane) return;
      const size = { width: pane.clientWidth / (mode === "spread" ? 2 : 1), height: pane.clientHeight };
      // not now: what one looks at comes first
      later = setTimeout(() => {
        for (const name of near) void shelf.warm(name, size, window.devicePixelRatio || 1);
      }, AHEAD);
    });
    return () => {
      left = true;
      clearTimeout(later);
    };
  }, [shelf, book, names, mode, stops, at]);

  // kept at rest
  useEffect(() => {
    if (!book) return;
    const later = setTimeout(() => {
      model.set("state", { source, unit, mode, overlays });
      model.save_changes();
    }, SETTLED);
    return () => clearTimeout(later);
  }, [model, book === undefined, source, unit, mode, overlays]);

  const go = useCallback(
    (to: number) => {
      const stop = stops[Math.min(stops.length - 1, Math.max(0, to))]?.[0];
      if (!stop || stop.unit === unit) return;
      notice.value = "";
      setUnit(stop.unit);
      announce(say("nowOn", { title: stop.title, at: to + 1, all: stops.length }));
    },
    [stops, unit, announce, say, notice],
  );
  const leave = () => {
    setAiming(false);
    setBeside(undefined);
  };
  const keys = (event: KeyboardEvent) => {
    const where = event.target as HTMLElement;
    if (where.matches("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    // a strip is scrolled by these keys, as any page is: one of its units may be many screens long
    if (mode === "strip" && event.key.startsWith("Page") && where.closest(".lk-page-strip")) return;
    if (event.key === "PageDown") go(at + 1);
    else if (event.key === "PageUp") go(at - 1);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(stops.length - 1);
    else if (event.key === "Escape" && (aiming || beside)) leave();
    else return;
    event.preventDefault();
  };

  // annotations and findings
  const current = book !== undefined && book.revision === book.head;
  const notes = useNotes(shelf.notes.value, book?.revision ?? "");
  const findings = useFindings(checked, source, shown, book?.revision ?? "");
  const marks = useMemo<Mark[]>(() => {
    const label = (n: number, note: { body: string }) => say("note", { n, words: note.body.slice(0, 120) });
    const pins =
      pinned && current ? notePins(notes.list, label, (note) => setBeside({ what: "note", id: note.id })) : [];
    const boxes = findings ? findingBoxes(findings, sheets, () => setBeside({ what: "findings" })) : [];
    return beside?.what === "form" ? [...boxes, ...pins, aimMark(beside.aim, say("annotate"))] : [...boxes, ...pins];
  }, [pinned, current, notes.list, findings, sheets, beside, say]);

  const select = useCallback((thing: Thing | undefined, _: Point, sheet: Sheet) => {
    setBeside(thing && { what: "thing", thing: thing.id, unit: sheet.unit });
  }, []);
  const point = useCallback((where: Point, thing: Thing | undefined, sheet: Sheet) => {
    setAiming(false);
    setBeside({ what: "form", aim: { unit: sheet.unit, title: sheet.title, point: where, thing } });
  }, []);
  const stale = useCallback((sheet: Sheet) => shelf.outdated(sheet.unit), [shelf]);

  const chosen = beside?.what === "thing" ? beside : undefined;
  const chosenSheet = chosen && sheets.get(chosen.unit);
  const chosenThing = chosenSheet?.objects.find(({ id }) => id === chosen?.thing);
  const read = beside?.what === "note" ? notes.list.findIndex(({ id }) => id === beside.id) : -1;
  const titleOf = (name: string) => book?.units.find((item) => item.unit === name)?.title ?? "";
  const missing = new Set(shown.flatMap((name) => sheets.get(name)?.missing ?? []));
  const looks: Omit<ViewerProps, "sheet" | "leaves" | "held"> = {
    overlays,
    marks,
    selected: chosen?.thing,
    onSelect: select,
    aiming,
    onPoint: point,
    onStale: stale,
    handle: viewer,
    label: shown.map(titleOf).join(", "),
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that turn pages, wherever in the view the focus is
    <div class="lk-page" ref={root} onKeyDown={keys} data-testid="page" data-unit={unit} data-revision={book?.revision}>
      {book && book.units.length > 0 && (
        <Toolbar
          book={book}
          mode={mode}
          onMode={setMode}
          at={at}
          all={stops.length}
          title={mode === "strip" ? titleOf(unit) : shown.map(titleOf).join(" · ")}
          onGo={go}
          overlays={overlays}
          onOverlays={setOverlays}
          notes={{
            shown: pinned && current,
            count: notes.list.length,
            able: current,
            toggle: () => setPinned(!pinned),
          }}
          findings={{
            shown: checked,
            toggle: () => {
              setChecked(!checked);
              setBeside(checked ? undefined : { what: "findings" });
            },
          }}
          aiming={aiming}
          onAim={() => {
            setBeside(undefined);
            setAiming(!aiming);
          }}
        />
      )}
      {book && book.revision !== book.head && (
        <p class="lk-page-news" data-testid="page-news">
          {say("moved", { revision: book.revision, head: book.head })}{" "}
          <button type="button" class="lk-button" data-testid="page-follow" onClick={() => void open(unit, "head")}>
            {say("follow", { head: book.head })}
          </button>
        </p>
      )}
      {notice.value !== "" && (
        <p class="lk-page-notice" role="status" data-testid="page-notice">
          {notice}
          <button type="button" class="lk-button" aria-label={say("close")} onClick={() => (notice.value = "")}>
            ×
          </button>
        </p>
      )}
      {missing.size > 0 && (
        <p class="lk-warning" data-testid="page-missing">
          {say("missing", { n: missing.size })}
        </p>
      )}
      {aiming && (
        <p class="lk-page-notice" role="status" data-testid="page-aim">
          {say("aim")}
        </p>
      )}
      <Fault
        error={shelf.error.value ?? shown.map((name) => shelf.faults.value.get(name)).find(Boolean)}
        onAgain={() => {
          shelf.retry();
          void open(unit, source);
        }}
      />
      {book === undefined && shelf.error.value === undefined && <p class="lk-page-opening">{say("opening")}</p>}
      {book && book.units.length === 0 && (
        <div class="lk-page-empty" data-testid="page-empty">
          <p>{say("empty")}</p>
          <p class="lk-code">{say("emptyHow")}</p>
        </div>
      )}
      {book && book.units.length > 0 && (
        <div class={`lk-page-main ${beside ? "lk-page-with-side" : ""}`}>
          {mode === "strip" ? (
            <Strip book={book} sheets={sheets} current={unit} onSight={setInSight} onReach={setUnit} viewer={looks} />
          ) : (
            <Viewer {...looks} leaves={leaves} />
          )}
          {chosenThing && chosenSheet && (
            <Selected
              thing={chosenThing}
              sheet={chosenSheet}
              onClose={leave}
              onAnnotate={() => {
                const [x, y, width, height] = chosenThing.box;
                const middle: Point = [x + width / 2, y + height / 2];
                point(middle, chosenThing, chosenSheet);
              }}
            />
          )}
          {beside?.what === "form" && (
            <NoteForm
              key={`${beside.aim.unit}/${beside.aim.point}`}
              aim={beside.aim}
              onClose={leave}
              onSaved={({ id }) => {
                notice.value = say("saved", { id, chapter: book.chapter });
                announce(notice.value);
                setPinned(true);
                setBeside(undefined);
                notes.again();
              }}
            />
          )}
          {read !== -1 && notes.list[read] && <NoteRead note={notes.list[read]} number={read + 1} onClose={leave} />}
          {beside?.what === "findings" && (
            <Found
              findings={findings}
              onClose={leave}
              onShow={(finding) => {
                const thing = sheets.get(finding.unit)?.objects.find(({ id }) => id === finding.object);
                if (thing) viewer.current?.flyTo(thing.box, finding.unit);
                else viewer.current?.fit();
              }}
            />
          )}
        </div>
      )}
      {book && book.units.length > 1 && (
        <Filmstrip book={book} source={source} current={unit} thumbs={thumbs} onChoose={setUnit} />
      )}
    </div>
  );
}

function Fault({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  const say = useSay(WORDS);
  if (error === undefined) return null;
  return (
    <div class="lk-page-fault" data-testid="page-fault">
      <ErrorBox error={error} testid="page-fault-why" />
      <Button data-testid="page-again" onClick={onAgain}>
        {say("again")}
      </Button>
    </div>
  );
}
