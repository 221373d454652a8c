// Draws the panes of a scene: one sheet, or two through each other, and what lies over them.
import { paintDifference } from "./difference.ts";
import { paintBox, paintCross, paintGuides, paintOutlines, paintReading, paintThing } from "./overlay.ts";
import { type Brush, type Lens, missing, onScreen, paintPaper, paintSheet, scratch, shifted } from "./paint.ts";
import { type Pane, type Scene, shownIn, type Which } from "./scene.ts";
import { around, type Leaf, meets, moved, type Rect, type Sheet } from "./sheet.ts";
import type { Viewport } from "./viewport.ts";
import type { Wants } from "./wants.ts";

const OLD = 1_500;

export class Painter {
  readonly #brush: CanvasRenderingContext2D;
  readonly #wants: Wants;
  /** What a place showed before, until its new picture is there. */
  #old = new Map<string, { sheet: Sheet; until: number }>();

  constructor(brush: CanvasRenderingContext2D, wants: Wants) {
    this.#brush = brush;
    this.#wants = wants;
  }

  /** Units that stay in the scene with other content keep showing the old until the new one has come. */
  follow(before: Scene, scene: Scene): void {
    for (const [which, was, is] of [
      ["sheet", before.leaves, scene.leaves],
      ["against", before.against, scene.against],
    ] as const) {
      for (const { sheet } of was ?? []) {
        const next = is?.find((leaf) => leaf.sheet?.unit === sheet?.unit)?.sheet;
        const name = `${which}/${sheet?.unit}`;
        if (!sheet || !next || next.key === sheet.key || this.#old.has(name)) continue;
        this.#old.set(name, { sheet, until: performance.now() + OLD });
      }
    }
  }

  /** Draw a pane; gives whether more can be drawn as soon as there is time. */
  paint(scene: Scene, pane: Pane, view: Viewport, dpr: number): boolean {
    const brush = this.#brush;
    const clip = pane.rect.map((edge) => Math.round(edge * dpr)) as unknown as Rect;
    const lens: Lens = {
      k: view.scale * dpr,
      ox: clip[0] + clip[2] / 2 - view.x * view.scale * dpr,
      oy: clip[1] + clip[3] / 2 - view.y * view.scale * dpr,
    };
    brush.save();
    brush.beginPath();
    brush.rect(...clip);
    brush.clip();
    const more = this.#pictures(scene, pane, lens, clip);
    this.#over(scene, pane, lens, clip, dpr);
    brush.restore();
    return more;
  }

  #pictures(scene: Scene, pane: Pane, lens: Lens, clip: Rect): boolean {
    const brush = this.#brush;
    const { leaves, against, mode, share } = scene;
    if (against === null || mode === "single" || mode === "side" || mode === "blink") {
      this.#leaves(brush, pane.leaves, pane.which, lens, clip);
      // the other one is fetched too: the first blink must not show blank paper
      if (against !== null && mode === "blink") this.#need(pane.which === "sheet" ? against : leaves, lens, clip);
    } else if (mode === "swipe") {
      this.#leaves(brush, against, "against", lens, clip);
      const edge = Math.round(share * clip[2]);
      const right: Rect = [clip[0] + edge, clip[1], clip[2] - edge, clip[3]];
      brush.save();
      brush.beginPath();
      brush.rect(...right);
      brush.clip();
      brush.clearRect(...right);
      this.#leaves(brush, leaves, "sheet", lens, clip);
      brush.restore();
    } else if (mode === "onion") {
      this.#leaves(brush, against, "against", lens, clip);
      const layer = scratch(clip[2], clip[3]);
      const own = { k: lens.k, ox: lens.ox - clip[0], oy: lens.oy - clip[1] };
      this.#leaves(layer, leaves, "sheet", own, [0, 0, clip[2], clip[3]]);
      brush.globalAlpha = share;
      brush.drawImage(layer.canvas, clip[0], clip[1]);
      brush.globalAlpha = 1;
    } else {
      return this.#difference(leaves, against, lens, clip);
    }
    return false;
  }

  #difference(leaves: readonly Leaf[], against: readonly Leaf[], lens: Lens, clip: Rect): boolean {
    const brush = this.#brush;
    this.#leaves(brush, leaves, "sheet", lens, clip);
    this.#need(against, lens, clip);
    brush.fillStyle = "rgb(255 255 255 / 0.7)";
    brush.fillRect(...onScreen(lens, around([...leaves, ...against].map((leaf) => moved(leaf.area, leaf.at)))));
    let more = false;
    for (const leaf of leaves) {
      const other = against.find(({ sheet }) => sheet?.unit === leaf.sheet?.unit) ?? against[0];
      if (leaf.sheet && other?.sheet) {
        more = paintDifference(brush, leaf.sheet, other.sheet, shifted(lens, leaf), clip) || more;
      }
    }
    return more;
  }

  #leaves(brush: Brush, leaves: readonly Leaf[], which: Which, lens: Lens, clip: Rect): void {
    for (const leaf of leaves) {
      const own = shifted(lens, leaf);
      if (!meets(onScreen(own, leaf.area), clip)) continue;
      paintPaper(brush, leaf.area, own);
      if (leaf.sheet !== null) this.#leaf(brush, leaf, leaf.sheet, which, own, clip);
    }
  }

  #leaf(brush: Brush, leaf: Leaf, sheet: Sheet, which: Which, lens: Lens, clip: Rect): void {
    const cut = leaf.area.some((edge, at) => edge !== sheet.area[at]);
    if (cut) {
      brush.save();
      brush.beginPath();
      brush.rect(...onScreen(lens, leaf.area));
      brush.clip();
    }
    const name = `${which}/${sheet.unit}`;
    const old = this.#old.get(name);
    const absent = old === undefined ? [] : missing(sheet, lens, clip);
    const waits = absent.length > 0 && performance.now() < (old?.until ?? 0) && !this.#wants.broken(sheet);
    if (old !== undefined && waits) {
      this.#wants.add(sheet, absent);
      paintSheet(brush, old.sheet, lens, clip);
    } else {
      this.#old.delete(name);
      this.#wants.add(sheet, paintSheet(brush, sheet, lens, clip));
    }
    if (cut) brush.restore();
  }

  #need(leaves: readonly Leaf[], lens: Lens, clip: Rect): void {
    for (const leaf of leaves) {
      if (leaf.sheet !== null) this.#wants.add(leaf.sheet, missing(leaf.sheet, shifted(lens, leaf), clip));
    }
  }

  #over(scene: Scene, pane: Pane, lens: Lens, clip: Rect, dpr: number): void {
    const { overlays, hovered, selected } = scene;
    const brush = this.#brush;
    for (const leaf of pane.leaves) {
      const { sheet } = leaf;
      const own = shifted(lens, leaf);
      if (sheet === null || !meets(onScreen(own, leaf.area), clip)) continue;
      if (overlays.guides) paintGuides(brush, sheet, own, dpr, scene.words);
      if (overlays.outlines) paintOutlines(brush, sheet.objects, own, dpr);
      for (const mark of scene.marks) {
        const here = mark.unit === undefined || mark.unit === sheet.unit;
        if (here && mark.kind === "box" && shownIn(mark, pane, scene)) paintBox(brush, mark, own, dpr);
      }
      if (overlays.reading) paintReading(brush, sheet, own, dpr);
      const chosen = sheet.objects.find((thing) => thing.id === selected);
      if (chosen !== undefined) paintThing(brush, chosen, own, dpr, clip, true);
      const near = sheet.objects.find((thing) => thing.id === hovered);
      if (near !== undefined && near !== chosen) paintThing(brush, near, own, dpr, clip, false);
    }
    if (scene.aiming) paintCross(brush, clip, dpr);
  }
}
