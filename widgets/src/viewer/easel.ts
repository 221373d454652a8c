// The drawing surface of a viewer: holds where one looks and what is shown, draws frames, asks for what is missing.
import type { Link } from "../link.ts";
import { Painter } from "./painter.ts";
import { type Pane, panesOf, type Scene } from "./scene.ts";
import { around, holds, type Leaf, moved, type Point, type Rect, type Sheet } from "./sheet.ts";
import { holdTiles } from "./tiles.ts";
import type { Size, Viewport } from "./viewport.ts";
import * as port from "./viewport.ts";
import { Wants } from "./wants.ts";

export interface Found {
  pane: Pane;
  leaf: Leaf;
  sheet: Sheet;
  point: Point;
}

export interface Heard {
  /** A frame was drawn; `whole` when nothing of it is missing, `error` when something was refused. */
  drawn(view: Viewport, panes: readonly Pane[], whole: boolean, error: unknown): void;
  stale(sheet: Sheet): void;
}

const FLIGHT = 320;

export class Easel {
  view: Viewport = { x: 0, y: 0, scale: 1 };
  scene: Scene | undefined;
  readonly canvas: HTMLCanvasElement;
  #brush: CanvasRenderingContext2D;
  #heard: Heard;
  #size: Size = { width: 0, height: 0 };
  #dpr = 1;
  #fitted = true;
  #frame = 0;
  #flight: { from: Viewport; to: Viewport; start: number; fitted: boolean } | undefined;
  #wants: Wants;
  #painter: Painter;
  #closed = false;
  readonly #release = holdTiles();

  constructor(canvas: HTMLCanvasElement, brush: CanvasRenderingContext2D, link: Link, heard: Heard) {
    this.canvas = canvas;
    this.#brush = brush;
    this.#heard = heard;
    this.#wants = new Wants(link, {
      arrived: this.draw,
      stale: (sheet) => heard.stale(sheet),
    });
    this.#painter = new Painter(brush, this.#wants);
  }

  // what is shown

  show(scene: Scene): void {
    const before = this.scene;
    this.scene = scene;
    if (before !== undefined) this.#painter.follow(before, scene);
    const here = (shown: Scene | undefined) => shown?.leaves.map((leaf) => leaf.unit ?? leaf.sheet?.unit).join();
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
    return this.scene === undefined ? [] : panesOf(this.scene, this.#size);
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
    this.#wants.begin();
    const panes = this.panes();
    let more = false;
    for (const pane of panes) more = this.#painter.paint(scene, pane, this.view, this.#dpr) || more;
    this.#wants.askSoon();
    this.#heard.drawn(this.view, panes, this.#wants.whole && !more, this.#wants.error);
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

  /** Ask again for what was refused. */
  retry(): void {
    this.#wants.retry();
    this.draw();
  }

  close(): void {
    this.#closed = true;
    cancelAnimationFrame(this.#frame);
    this.#wants.close();
    this.#release();
    this.canvas.width = 0; // frees its pixels at once
  }
}
