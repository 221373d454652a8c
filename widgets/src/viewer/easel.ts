// The drawing surface of a viewer: holds where one looks and what is shown, draws frames, asks for what is missing.
import type { Link } from "../link.ts";
import { paintDifference } from "./difference.ts";
import { type GuideWords, paintBox, paintGuides, paintOutlines, paintReading, paintThing } from "./overlay.ts";
import { type Lens, missing, paintPaper, paintSheet, scratch, shifted } from "./paint.ts";
import {
  around,
  holds,
  type Leaf,
  type Mark,
  type Mode,
  meets,
  moved,
  type Overlays,
  type Point,
  type Rect,
  type Sheet,
  type Thing,
} from "./sheet.ts";
import { type Spot, TileFeed, tileId } from "./tiles.ts";
import type { Size, Viewport } from "./viewport.ts";
import * as port from "./viewport.ts";

export interface Scene {
  leaves: Leaf[];
  against: Leaf[] | null;
  mode: Mode;
  /** swipe: where the edge is; onion: how much of the sheet; 0 to 1 */
  share: number;
  /** blink: whether what it is compared with is shown now */
  swapped: boolean;
  overlays: Overlays;
  marks: readonly Mark[];
  selected: string | undefined;
  /** hovered, or stepped to by keyboard */
  hovered: string | undefined;
  /** a view given from outside, which gestures do not change */
  held: Viewport | undefined;
  /** a cross in the middle: a point is to be chosen */
  aiming: boolean;
  words: GuideWords;
}

export interface Pane {
  rect: Rect;
  leaves: Leaf[];
  which: "sheet" | "against";
}

export interface Found {
  pane: Pane;
  leaf: Leaf;
  sheet: Sheet;
  point: Point;
}

export interface Heard {
  /** A frame was drawn; `whole` when nothing of it is missing. */
  drawn(view: Viewport, panes: readonly Pane[], whole: boolean): void;
  failed(error: unknown): void;
  stale(sheet: Sheet): void;
}

const NARROW = 560;
const GAP = 6;
const FLIGHT = 320;
const OLD = 1_500;
const THROTTLE = 90;

export class Easel {
  view: Viewport = { x: 0, y: 0, scale: 1 };
  scene: Scene | undefined;
  readonly canvas: HTMLCanvasElement;
  #brush: CanvasRenderingContext2D;
  #link: Link;
  #heard: Heard;
  #size: Size = { width: 0, height: 0 };
  #dpr = 1;
  #fitted = true;
  #frame = 0;
  #flight: { from: Viewport; to: Viewport; start: number; fitted: boolean } | undefined;
  #feeds = new Map<string, TileFeed>();
  #old = new Map<string, { sheet: Sheet; until: number }>();
  #asked = 0;
  #later: ReturnType<typeof setTimeout> | undefined;
  #wants = new Map<string, { sheet: Sheet; spots: Map<string, Spot> }>();
  #closed = false;

  constructor(canvas: HTMLCanvasElement, brush: CanvasRenderingContext2D, link: Link, heard: Heard) {
    this.canvas = canvas;
    this.#brush = brush;
    this.#link = link;
    this.#heard = heard;
  }

  // what is shown

  show(scene: Scene): void {
    const before = this.scene;
    this.scene = scene;
    for (const which of ["leaves", "against"] as const) {
      for (const leaf of before?.[which] ?? []) {
        const next = scene[which]?.find((other) => other.sheet?.unit === leaf.sheet?.unit)?.sheet;
        if (leaf.sheet && next && next.key !== leaf.sheet.key && !this.#old.has(`${which}/${next.unit}`)) {
          this.#old.set(`${which}/${next.unit}`, { sheet: leaf.sheet, until: performance.now() + OLD });
        }
      }
    }
    const here = (shown: Scene | undefined) => shown?.leaves.map((leaf) => leaf.sheet?.unit).join();
    if (here(before) !== here(scene)) {
      this.#fitted = true;
      this.#flight = undefined;
    }
    this.#settle();
  }

  resize(width: number, height: number, dpr: number): void {
    if (width === this.#size.width && height === this.#size.height && dpr === this.#dpr) return;
    this.#size = { width, height };
    this.#dpr = dpr;
    this.canvas.width = Math.round(width * dpr);
    this.canvas.height = Math.round(height * dpr);
    this.#settle();
    this.draw();
  }

  panes(): Pane[] {
    const { scene } = this;
    if (scene === undefined) return [];
    const { width, height } = this.#size;
    const { leaves, against } = scene;
    const whole: Rect = [0, 0, width, height];
    if (against === null) return [{ rect: whole, leaves, which: "sheet" }];
    if (scene.mode === "side") {
      const tall = width < NARROW;
      const part = ((tall ? height : width) - GAP) / 2;
      const first: Rect = tall ? [0, 0, width, part] : [0, 0, part, height];
      const second: Rect = tall ? [0, part + GAP, width, part] : [part + GAP, 0, part, height];
      return [
        { rect: first, leaves: against, which: "against" },
        { rect: second, leaves, which: "sheet" },
      ];
    }
    const swapped = scene.mode === "blink" && scene.swapped;
    return [{ rect: whole, leaves: swapped ? against : leaves, which: swapped ? "against" : "sheet" }];
  }

  #pane(): Size {
    const [pane] = this.panes();
    return pane === undefined ? this.#size : { width: pane.rect[2], height: pane.rect[3] };
  }

  bounds(): port.Bounds {
    const leaves = [...(this.scene?.leaves ?? []), ...(this.scene?.against ?? [])];
    const area = around(leaves.map((leaf) => moved(leaf.area, leaf.at)));
    const finest = Math.max(1, ...leaves.map((leaf) => leaf.sheet?.levels.at(-1)?.scale ?? 1));
    return { area, size: this.#pane(), most: (finest * 3) / this.#dpr };
  }

  /** Which part of which sheet is at a pixel of the canvas. */
  locate([px, py]: Point): Found | undefined {
    const pane = this.panes().find(({ rect }) => holds(rect, [px, py])) ?? this.panes()[0];
    if (pane === undefined) return undefined;
    const size = { width: pane.rect[2], height: pane.rect[3] };
    const at = port.toMm(this.view, size, [px - pane.rect[0], py - pane.rect[1]]);
    const swiped = this.#swipedTo(pane, px);
    for (const leaf of swiped.leaves) {
      const point: Point = [at[0] - leaf.at[0], at[1] - leaf.at[1]];
      if (leaf.sheet !== null && holds(leaf.area, point)) return { pane: swiped, leaf, sheet: leaf.sheet, point };
    }
    return undefined;
  }

  #swipedTo(pane: Pane, px: number): Pane {
    const { scene } = this;
    if (scene?.mode !== "swipe" || scene.against === null) return pane;
    return px < scene.share * this.#size.width ? { ...pane, leaves: scene.against, which: "against" } : pane;
  }

  /** Where a point of a leaf is on the canvas, in a pane. */
  place(pane: Pane, leaf: Leaf, [x, y]: Point): Point {
    const size = { width: pane.rect[2], height: pane.rect[3] };
    const [px, py] = port.toPx(this.view, size, [x + leaf.at[0], y + leaf.at[1]]);
    return [px + pane.rect[0], py + pane.rect[1]];
  }

  // where one looks

  panBy(dx: number, dy: number): void {
    this.#go(port.pan(this.view, dx, dy));
  }

  zoomBy(factor: number, pixel?: Point): void {
    const size = this.#pane();
    const pane = pixel && this.panes().find(({ rect }) => holds(rect, pixel));
    const at: Point =
      pixel && pane ? [pixel[0] - pane.rect[0], pixel[1] - pane.rect[1]] : [size.width / 2, size.height / 2];
    this.#go(port.zoomAt(this.view, size, at, factor));
  }

  fit(): void {
    this.#fly(port.fit(this.bounds().area, this.#pane()), true);
  }

  /** One pixel of the paper's own resolution on one of the screen's. */
  actual(): void {
    this.#fly(port.clamp({ ...this.view, scale: this.bounds().most / 3 }, this.bounds()), false);
  }

  flyTo(rect: Rect, unit?: string): void {
    const leaves = this.scene?.leaves ?? [];
    const leaf = leaves.find((other) => other.sheet?.unit === unit) ?? leaves[0];
    this.#fly(port.onto(leaf === undefined ? rect : moved(rect, leaf.at), this.bounds()), false);
  }

  /** Bring a rectangle of a leaf into sight, without moving when it is there already. */
  reveal(rect: Rect, unit: string): void {
    const leaf = this.scene?.leaves.find((other) => other.sheet?.unit === unit);
    if (leaf === undefined) return;
    const [x, y, width, height] = port.seen(this.view, this.#pane());
    const [left, top, wide, high] = moved(rect, leaf.at);
    if (left >= x && top >= y && left + wide <= x + width && top + high <= y + height) return;
    this.flyTo(rect, unit);
  }

  get atFit(): boolean {
    return this.#fitted;
  }

  #go(view: Viewport): void {
    if (this.scene?.held !== undefined) return;
    this.#flight = undefined;
    this.view = port.clamp(view, this.bounds());
    this.#fitted = port.alike(this.view, port.fit(this.bounds().area, this.#pane()));
    this.draw();
  }

  #fly(to: Viewport, fitted: boolean): void {
    if (this.scene?.held !== undefined) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || port.alike(this.view, to)) {
      this.#flight = undefined;
      this.view = to;
      this.#fitted = fitted;
    } else {
      this.#flight = { from: this.view, to, start: performance.now(), fitted };
      this.#fitted = false;
    }
    this.draw();
  }

  #settle(): void {
    const { scene } = this;
    if (scene === undefined || this.#size.width === 0) return;
    if (scene.held !== undefined) this.view = scene.held;
    else if (this.#flight === undefined) {
      const bounds = this.bounds();
      this.view = this.#fitted ? port.fit(bounds.area, bounds.size) : port.clamp(this.view, bounds);
    }
    this.draw();
  }

  // frames

  draw = (): void => {
    if (this.#frame !== 0 || this.#closed) return;
    this.#frame = requestAnimationFrame(this.#now);
  };

  #now = (): void => {
    this.#frame = 0;
    const { scene } = this;
    if (scene === undefined || this.#size.width === 0 || this.#closed) return;
    this.#glide();
    const brush = this.#brush;
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.#wants.clear();
    const panes = this.panes();
    let more = false;
    for (const pane of panes) more = this.#paintPane(scene, pane) || more;
    const whole = [...this.#wants.values()].every(({ spots }) => spots.size === 0);
    this.#askSoon();
    this.#heard.drawn(this.view, panes, whole && !more);
    if (more || this.#flight !== undefined) this.draw();
  };

  #glide(): void {
    const flight = this.#flight;
    if (flight === undefined) return;
    const share = (performance.now() - flight.start) / FLIGHT;
    this.view = port.between(flight.from, flight.to, share);
    if (share < 1) return;
    this.#flight = undefined;
    this.#fitted = flight.fitted;
  }

  #paintPane(scene: Scene, pane: Pane): boolean {
    const brush = this.#brush;
    const dpr = this.#dpr;
    const clip = pane.rect.map((edge) => Math.round(edge * dpr)) as unknown as Rect;
    const lens: Lens = {
      k: this.view.scale * dpr,
      ox: clip[0] + clip[2] / 2 - this.view.x * this.view.scale * dpr,
      oy: clip[1] + clip[3] / 2 - this.view.y * this.view.scale * dpr,
    };
    brush.save();
    brush.beginPath();
    brush.rect(...clip);
    brush.clip();
    let more = false;
    const { against, mode, share } = scene;
    if (against === null || mode === "single" || mode === "side" || mode === "blink") {
      this.#paintLeaves(brush, pane.leaves, pane.which, lens, clip);
      // the other one is fetched too: the first blink must not show blank paper
      if (against !== null && mode === "blink") {
        this.#wantLeaves(pane.which === "sheet" ? against : scene.leaves, lens, clip);
      }
    } else if (mode === "swipe") {
      this.#paintLeaves(brush, against, "against", lens, clip);
      const edge = Math.round(share * clip[2]);
      const right: Rect = [clip[0] + edge, clip[1], clip[2] - edge, clip[3]];
      brush.save();
      brush.beginPath();
      brush.rect(...right);
      brush.clip();
      brush.clearRect(...right);
      this.#paintLeaves(brush, scene.leaves, "sheet", lens, clip);
      brush.restore();
    } else if (mode === "onion") {
      this.#paintLeaves(brush, against, "against", lens, clip);
      const layer = scratch(clip[2], clip[3]);
      const own = { k: lens.k, ox: lens.ox - clip[0], oy: lens.oy - clip[1] };
      this.#paintLeaves(layer, scene.leaves, "sheet", own, [0, 0, clip[2], clip[3]]);
      brush.globalAlpha = share;
      brush.drawImage(layer.canvas, clip[0], clip[1]);
      brush.globalAlpha = 1;
    } else {
      this.#paintLeaves(brush, scene.leaves, "sheet", lens, clip);
      this.#wantLeaves(against, lens, clip);
      brush.fillStyle = "rgb(255 255 255 / 0.7)";
      const both = around([...scene.leaves, ...against].map((leaf) => moved(leaf.area, leaf.at)));
      brush.fillRect(lens.ox + both[0] * lens.k, lens.oy + both[1] * lens.k, both[2] * lens.k, both[3] * lens.k);
      for (const leaf of scene.leaves) {
        const other = against.find(({ sheet }) => sheet?.unit === leaf.sheet?.unit) ?? against[0];
        if (leaf.sheet && other?.sheet) {
          more = paintDifference(brush, leaf.sheet, other.sheet, shifted(lens, leaf), clip) || more;
        }
      }
    }
    this.#paintOver(scene, pane, lens, clip);
    brush.restore();
    return more;
  }

  #paintLeaves(
    brush: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
    leaves: readonly Leaf[],
    which: "sheet" | "against",
    lens: Lens,
    clip: Rect,
  ): void {
    const sight: Rect = [
      (clip[0] - lens.ox) / lens.k,
      (clip[1] - lens.oy) / lens.k,
      clip[2] / lens.k,
      clip[3] / lens.k,
    ];
    for (const leaf of leaves) {
      if (!meets(moved(leaf.area, leaf.at), sight)) continue;
      const own = shifted(lens, leaf);
      paintPaper(brush, leaf.area, own);
      if (leaf.sheet === null) continue;
      const name = `${which === "sheet" ? "leaves" : "against"}/${leaf.sheet.unit}`;
      const old = this.#old.get(name);
      if (old !== undefined) {
        const waits = missing(leaf.sheet, own, clip).length > 0 && performance.now() < old.until;
        if (waits && !this.#feed(leaf.sheet).broken) {
          this.#want(leaf.sheet, missing(leaf.sheet, own, clip));
          paintSheet(brush, old.sheet, own, clip);
          continue;
        }
        this.#old.delete(name);
      }
      this.#want(leaf.sheet, paintSheet(brush, leaf.sheet, own, clip));
    }
  }

  #wantLeaves(leaves: readonly Leaf[], lens: Lens, clip: Rect): void {
    for (const leaf of leaves) {
      if (leaf.sheet !== null) this.#want(leaf.sheet, missing(leaf.sheet, shifted(lens, leaf), clip));
    }
  }

  #paintOver(scene: Scene, pane: Pane, lens: Lens, clip: Rect): void {
    const { overlays, hovered, selected } = scene;
    const brush = this.#brush;
    const dpr = this.#dpr;
    for (const leaf of pane.leaves) {
      const { sheet } = leaf;
      if (sheet === null) continue;
      const own = shifted(lens, leaf);
      if (overlays.guides) paintGuides(brush, sheet, own, dpr, scene.words);
      if (overlays.outlines) paintOutlines(brush, sheet.objects, own, dpr);
      for (const mark of scene.marks) {
        const here = mark.unit === undefined || mark.unit === sheet.unit;
        if (here && mark.kind === "box" && shownIn(mark, pane, scene)) paintBox(brush, mark, own, dpr);
      }
      if (overlays.reading) paintReading(brush, sheet, own, dpr);
      const find = (id: string | undefined): Thing | undefined => sheet.objects.find((thing) => thing.id === id);
      const chosen = find(selected);
      if (chosen !== undefined) paintThing(brush, chosen, own, dpr, clip, true);
      const near = find(hovered);
      if (near !== undefined && near !== chosen) paintThing(brush, near, own, dpr, clip, false);
    }
    if (scene.aiming) {
      const [x, y] = [clip[0] + clip[2] / 2, clip[1] + clip[3] / 2];
      const arm = 10 * dpr;
      for (const [width, colour] of [
        [4 * dpr, "#fff"],
        [1.5 * dpr, "#b42318"],
      ] as const) {
        brush.beginPath();
        brush.moveTo(x - arm, y);
        brush.lineTo(x + arm, y);
        brush.moveTo(x, y - arm);
        brush.lineTo(x, y + arm);
        brush.lineWidth = width;
        brush.strokeStyle = colour;
        brush.stroke();
      }
    }
  }

  // tiles

  #want(sheet: Sheet, spots: readonly Spot[]): void {
    const known = this.#wants.get(sheet.key) ?? { sheet, spots: new Map<string, Spot>() };
    for (const spot of spots) known.spots.set(tileId(sheet.key, spot), spot);
    this.#wants.set(sheet.key, known);
  }

  #feed(sheet: Sheet): TileFeed {
    let feed = this.#feeds.get(sheet.key);
    if (feed === undefined) {
      feed = new TileFeed(this.#link, sheet, {
        arrived: this.draw,
        failed: (error) => {
          this.#heard.failed(error);
          this.draw();
        },
        stale: () => this.#heard.stale(sheet),
      });
      this.#feeds.set(sheet.key, feed);
    }
    return feed;
  }

  // While something moves, what is asked for at each frame would be given up at the next.
  #askSoon(): void {
    if (this.#later !== undefined) return;
    const wait = Math.max(0, this.#asked + THROTTLE - performance.now());
    const ask = () => {
      this.#later = undefined;
      this.#asked = performance.now();
      for (const [key, feed] of this.#feeds) {
        if (this.#wants.has(key)) continue;
        feed.close();
        this.#feeds.delete(key);
      }
      for (const { sheet, spots } of this.#wants.values()) this.#feed(sheet).want([...spots.values()]);
    };
    if (wait === 0) ask();
    else this.#later = setTimeout(ask, wait);
  }

  /** Ask again for what was refused. */
  retry(): void {
    for (const feed of this.#feeds.values()) feed.retry();
  }

  close(): void {
    this.#closed = true;
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#later);
    for (const feed of this.#feeds.values()) feed.close();
    this.#feeds.clear();
    this.#old.clear();
    this.canvas.width = 0; // frees its pixels at once
  }
}

/** Whether a mark belongs to what a pane shows. */
export function shownIn(mark: Mark, pane: Pane, scene: Scene): boolean {
  if (scene.against === null || (mark.on ?? "both") === "both") return true;
  return scene.mode === "side" || scene.mode === "blink" ? mark.on === pane.which : true;
}
