// A picture of paper to look into: pan, zoom, step through its objects, compare with another.
//
//   <Viewer sheet={sheet}/>                                 all of a unit; objects come out under the pointer
//   <Viewer leaves={[{sheet, at: [0, 0], area}, …]}/>       several units in one view, each moved by `at` millimetres
//   <Viewer sheet={after} against={before} mode="swipe"/>   one view of two sheets
//     mode        single | side (before, after) | swipe | blink | onion | difference
//     share       where the edge of swipe is, or how much of the sheet onion shows, 0 to 1; `onShare` hears it moved
//     names       what the two are called: {sheet: "After", against: "Before"}
//   overlays      {outlines, reading, guides}
//   marks         pins and boxes; their tags are buttons. Mark.on says on which of two sheets
//   selected      id of the object that is brought out
//   onSelect(thing | undefined, point, sheet)    a click or Enter; undefined beside all objects, and on Escape
//   onHover(thing | undefined)
//   aiming, onPoint(point, thing | undefined, sheet)    the next click chooses a point, in millimetres of its sheet
//   held          a view that is given, not chosen here: no pan, no zoom; `onZoom(factor)` hears Ctrl + wheel
//   handle        a ref that gets {flyTo(rect, unit?), fit(), zoomBy(factor), view()}
//   onStale(sheet)    the kernel shows something else under the sheet's source by now: ask for the sheet again
//   label         what the picture is called; onView(view) at rest; controls={false} takes the zoom buttons away
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { ErrorBox } from "../kit/kit.tsx";
import { useSay, useShared } from "../shell.tsx";
import type { Table } from "../words.ts";
import { Captions, Share, Zoom } from "./Controls.tsx";
import { Easel } from "./easel.ts";
import { gestures } from "./gestures.ts";
import { type Mover, Pins } from "./Pins.tsx";
import { Plain } from "./Plain.tsx";
import type { Scene } from "./scene.ts";
import {
  type Leaf,
  leafOf,
  type Mark,
  type Mode,
  type Overlays,
  type Point,
  type Rect,
  type Sheet,
  type Thing,
} from "./sheet.ts";
import { inReadingOrder, pick, under } from "./things.ts";
import type { Viewport } from "./viewport.ts";

export interface ViewerHandle {
  flyTo(rect: Rect, unit?: string): void;
  fit(): void;
  zoomBy(factor: number): void;
  view(): Viewport;
}

export interface ViewerProps {
  sheet?: Sheet;
  leaves?: Leaf[];
  against?: Sheet | null;
  mode?: Mode;
  share?: number;
  onShare?: (share: number) => void;
  names?: { sheet: string; against: string };
  overlays?: Partial<Overlays>;
  marks?: readonly Mark[];
  selected?: string | undefined;
  onSelect?: (thing: Thing | undefined, point: Point, sheet: Sheet) => void;
  onHover?: (thing: Thing | undefined) => void;
  aiming?: boolean;
  onPoint?: (point: Point, thing: Thing | undefined, sheet: Sheet) => void;
  held?: Viewport | undefined;
  onZoom?: (factor: number) => void;
  handle?: { current: ViewerHandle | null };
  onStale?: (sheet: Sheet) => void;
  onView?: (view: Viewport) => void;
  label?: string;
  controls?: boolean;
}

const WORDS = {
  picture: ["picture of {what}", "{what}的画面"],
  help: [
    "Arrows move, plus and minus zoom, 0 shows all. Enter steps through the objects with the arrows, Escape leaves them.",
    "方向键移动，加减号缩放，0 显示全部。按 Enter 后用方向键逐个浏览对象，Escape 退出。",
  ],
  strip: [
    "Enter steps through the objects with the arrows, Escape leaves them.",
    "按 Enter 后用方向键逐个浏览对象，Escape 退出。",
  ],
  aim: ["Enter chooses the point in the middle.", "按 Enter 选取中心点。"],
  wheel: ["Click the picture first, or hold Ctrl, to zoom with the wheel.", "先点击画面，或按住 Ctrl，再用滚轮缩放。"],
  place: ["{name}, {at} of {all}", "{name}，第 {at} / {all} 个"],
  locked: ["{name}, locked", "{name}，已锁定"],
  left: ["Left the objects.", "已退出对象浏览。"],
  nothing: ["There is nothing on it yet.", "上面还没有任何对象。"],
  fault: ["Part of the picture did not come.", "部分画面未能载入。"],
  again: ["Try again", "重试"],
  trim: ["trim", "裁切"],
  bleed: ["bleed", "出血"],
  safe: ["safe", "安全区"],
  gutter: ["gutter", "装订线"],
} as const satisfies Table;

const NO_OVERLAYS: Overlays = { outlines: false, reading: false, guides: false };
const NO_MARKS: readonly Mark[] = [];
const REST = 250;

export function Viewer(props: ViewerProps) {
  const { link, announce } = useShared();
  const say = useSay(WORDS);
  const { sheet, against = null, held, handle, marks = NO_MARKS, selected, aiming = false } = props;
  const mode: Mode = against === null ? "single" : (props.mode ?? "side");
  const leaves = useMemo(() => props.leaves ?? (sheet ? [leafOf(sheet)] : []), [props.leaves, sheet]);
  const other = useMemo(() => (against === null ? null : [leafOf(against)]), [against]);
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const easel = useRef<Easel | null>(null);
  const pins = useRef<Mover | null>(null);
  const meter = useRef<((scale: number) => void) | null>(null);
  const rest = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const keysId = useId();
  const [unable, setUnable] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const [hovered, setHovered] = useState<string>();
  const [stepped, setStepped] = useState<string>();
  const [share, setShare] = useState(props.share ?? 0.5);
  const [swapped, setSwapped] = useState(false);
  const [hint, setHint] = useState(false);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => setShare(props.share ?? 0.5), [props.share]);
  useEffect(() => setSwapped(false), [mode]);
  useEffect(() => {
    if (!hint) return;
    const gone = setTimeout(() => setHint(false), 2_500);
    return () => clearTimeout(gone);
  }, [hint]);

  const scene = useMemo<Scene>(
    () => ({
      leaves,
      against: mode === "single" ? null : other,
      mode,
      share,
      swapped,
      overlays: { ...NO_OVERLAYS, ...props.overlays },
      marks,
      selected,
      hovered: stepped ?? hovered,
      held,
      aiming,
      words: { trim: say("trim"), bleed: say("bleed"), safe: say("safe"), gutter: say("gutter") },
    }),
    [leaves, other, mode, share, swapped, props.overlays, marks, selected, stepped, hovered, held, aiming, say],
  );

  useLayoutEffect(() => {
    const surface = canvas.current;
    const box = frame.current;
    const brush = surface?.getContext("2d");
    if (!surface || !box || !brush) {
      setUnable(true);
      return;
    }
    const made = new Easel(surface, brush, link, {
      drawn(view, panes, whole, error) {
        setFault(error);
        pins.current?.move(made, panes);
        meter.current?.(view.scale);
        surface.dataset.whole = String(whole);
        surface.dataset.shown = made.scene?.leaves.map((leaf) => leaf.sheet?.unit ?? "").join(" ") ?? "";
        surface.style.touchAction = held === undefined && !made.atFit ? "none" : "pan-x pan-y";
        clearTimeout(rest.current);
        rest.current = setTimeout(() => latest.current.onView?.(view), REST);
      },
      stale: (shown) => latest.current.onStale?.(shown),
    });
    easel.current = made;
    const fill = () => made.resize(box.clientWidth, box.clientHeight, window.devicePixelRatio || 1);
    const watcher = new ResizeObserver(fill);
    watcher.observe(box);
    fill();
    const stopLine = link.state.subscribe((state) => {
      if (state === "live") made.retry();
    });
    return () => {
      clearTimeout(rest.current);
      watcher.disconnect();
      stopLine();
      made.close();
      easel.current = null;
    };
  }, [link, held === undefined]);

  useLayoutEffect(() => easel.current?.show(scene), [scene]);

  useLayoutEffect(() => {
    if (handle === undefined) return;
    handle.current = {
      flyTo: (rect, unit) => easel.current?.flyTo(rect, unit),
      fit: () => easel.current?.fit(),
      zoomBy: (factor) => easel.current?.zoomBy(factor),
      view: () => easel.current?.view ?? { x: 0, y: 0, scale: 1 },
    };
    return () => {
      handle.current = null;
    };
  }, [handle]);

  const choose = useCallback((thing: Thing | undefined, point: Point, on: Sheet) => {
    latest.current.onSelect?.(thing, point, on);
  }, []);

  useEffect(() => {
    const surface = canvas.current;
    if (!surface) return;
    return gestures(surface, {
      hover(at) {
        const found = at && easel.current?.locate(at);
        const thing = found && under(found.sheet, found.point)[0];
        setHovered(thing?.id);
        latest.current.onHover?.(thing);
      },
      tap(at) {
        const found = easel.current?.locate(at);
        setStepped(undefined);
        if (latest.current.aiming) {
          if (found) latest.current.onPoint?.(found.point, under(found.sheet, found.point)[0], found.sheet);
          return;
        }
        if (found) choose(pick(found.sheet, found.point, latest.current.selected), found.point, found.sheet);
      },
      doubleTap: (at) => {
        if (!latest.current.aiming) easel.current?.zoomBy(2, at);
      },
      drag(dx, dy) {
        easel.current?.panBy(dx, dy);
      },
      zoom(factor, at) {
        if (latest.current.held !== undefined) latest.current.onZoom?.(factor);
        else easel.current?.zoomBy(factor, at);
      },
      owns: (what) =>
        latest.current.held === undefined && (what === "drag" || surface.matches(":focus, :focus-within")),
      passed: () => setHint(latest.current.held === undefined),
    });
  }, [choose, unable]);

  // objects one after the other, by keyboard
  const order = useMemo(
    () => leaves.flatMap(({ sheet: on }) => (on ? inReadingOrder(on).map((thing) => ({ thing, on })) : [])),
    [leaves],
  );
  const step = (by: number): boolean => {
    const at = stepped === undefined ? -1 : order.findIndex(({ thing }) => thing.id === stepped);
    const next = order[at === -1 ? 0 : at + by];
    if (next === undefined) return false;
    const { thing, on } = next;
    setStepped(thing.id);
    easel.current?.reveal(thing.box, on.unit);
    const name = thing.locked === "" ? thing.name : say("locked", { name: thing.name });
    announce(say("place", { name, at: order.indexOf(next) + 1, all: order.length }));
    return true;
  };
  const leave = () => {
    setStepped(undefined);
    announce(say("left"));
  };
  const keys = (event: KeyboardEvent) => {
    const made = easel.current;
    if (made === null || event.altKey || event.metaKey || event.ctrlKey) return;
    const arrows: Record<string, Point> = {
      ArrowLeft: [1, 0],
      ArrowRight: [-1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    };
    const way = arrows[event.key];
    const far = event.shiftKey ? 240 : 60;
    if (stepped !== undefined && (way !== undefined || event.key === "Tab")) {
      const back = event.key === "Tab" ? event.shiftKey : event.key === "ArrowLeft" || event.key === "ArrowUp";
      const more = step(back ? -1 : 1);
      if (event.key === "Tab" && !more) {
        setStepped(undefined); // past the last one Tab goes on to what follows the picture
        return;
      }
    } else if (way !== undefined && held === undefined) made.panBy(way[0] * far, way[1] * far);
    else if ((event.key === "+" || event.key === "=") && held === undefined) made.zoomBy(1.5);
    else if ((event.key === "-" || event.key === "_") && held === undefined) made.zoomBy(1 / 1.5);
    else if (event.key === "0" && held === undefined) made.fit();
    else if (event.key === "Enter") enter(made);
    else if (event.key === "Escape" && stepped !== undefined) leave();
    else if (event.key === "Escape" && selected !== undefined && leaves[0]?.sheet) {
      choose(undefined, [0, 0], leaves[0].sheet);
    } else if (event.key === " " && mode === "blink") setSwapped((now) => !now);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const enter = (made: Easel) => {
    const box = canvas.current?.getBoundingClientRect();
    if (aiming && box) {
      const found = made.locate([box.width / 2, box.height / 2]);
      if (found) props.onPoint?.(found.point, under(found.sheet, found.point)[0], found.sheet);
      return;
    }
    const here = order.find(({ thing }) => thing.id === stepped);
    if (here !== undefined) {
      const { box: place } = here.thing;
      choose(here.thing, [place[0] + place[2] / 2, place[1] + place[3] / 2], here.on);
    } else if (!step(1)) announce(say("nothing"));
  };

  const called = props.label ?? leaves.map((leaf) => leaf.sheet?.title ?? "").join(", ");
  if (unable) return <Plain leaves={leaves} label={say("picture", { what: called })} />;
  return (
    <div class={`lk-viewer ${held ? "lk-viewer-held" : ""}`} ref={frame} data-testid="viewer" data-mode={mode}>
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: the picture takes keys, as described */}
      <canvas
        ref={canvas}
        role="application"
        tabIndex={0}
        aria-label={say("picture", { what: called })}
        aria-describedby={keysId}
        class={aiming ? "lk-viewer-aiming" : hovered ? "lk-viewer-over" : ""}
        data-testid="viewer-canvas"
        data-hovered={stepped ?? hovered ?? ""}
        onKeyDown={keys}
        onBlur={() => setStepped(undefined)}
      />
      <span class="lk-unseen" id={keysId}>
        {say(aiming ? "aim" : held === undefined ? "help" : "strip")}
      </span>
      <Pins mover={pins} marks={marks} easel={easel} />
      <Captions
        mode={mode}
        names={props.names}
        swapped={swapped}
        same={sheet !== undefined && sheet.key === against?.key}
      />
      <Share
        mode={mode}
        names={props.names}
        share={share}
        onShare={(now) => {
          setShare(now);
          props.onShare?.(now);
        }}
        swapped={swapped}
        onSwap={() => setSwapped((now) => !now)}
      />
      {held === undefined && (props.controls ?? true) && (
        <Zoom
          meter={meter}
          scale={easel.current?.view.scale ?? 0}
          onBy={(factor) => easel.current?.zoomBy(factor)}
          onWhole={() => easel.current?.fit()}
        />
      )}
      {hint && <p class="lk-viewer-hint">{say("wheel")}</p>}
      {fault !== undefined && (
        <div class="lk-viewer-fault" data-testid="viewer-fault">
          <p>{say("fault")}</p>
          <ErrorBox error={fault} testid="viewer-fault-why" />
          <button type="button" class="lk-button" data-testid="viewer-retry" onClick={() => easel.current?.retry()}>
            {say("again")}
          </button>
        </div>
      )}
    </div>
  );
}
