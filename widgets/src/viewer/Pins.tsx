// The tags of marks: buttons that stay at their place while the picture moves.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Easel } from "./easel.ts";
import { TONES } from "./overlay.ts";
import { type Pane, shownIn } from "./scene.ts";
import { boxOf, type Mark } from "./sheet.ts";

export interface Mover {
  move(easel: Easel, panes: readonly Pane[]): void;
}

// one button for each pane a mark can be in
const PANES = [0, 1] as const;

export function Pins(props: {
  marks: readonly Mark[];
  easel: RefObject<Easel | null>;
  mover: { current: Mover | null };
}) {
  const { marks, easel, mover } = props;
  const layer = useRef<HTMLDivElement>(null);
  const latest = useRef(marks);
  latest.current = marks;

  useLayoutEffect(() => {
    mover.current = {
      move(made, panes) {
        const tags = layer.current?.children;
        if (tags === undefined) return;
        for (const [at, mark] of latest.current.entries()) {
          for (const which of PANES) {
            const tag = tags[at * PANES.length + which];
            if (tag instanceof HTMLElement) put(tag, mark, made, panes[which]);
          }
        }
      },
    };
  }, [mover]);
  useLayoutEffect(() => {
    if (easel.current) mover.current?.move(easel.current, easel.current.panes());
  }, [marks, easel, mover]);

  return (
    <div class="lk-viewer-pins" ref={layer}>
      {marks.flatMap((mark) =>
        PANES.map((which) => (
          <button
            type="button"
            key={`${mark.id}/${which}`}
            class={`lk-viewer-pin lk-viewer-${mark.kind}`}
            style={{ background: TONES[mark.tone].colour }}
            hidden
            aria-label={mark.label}
            title={mark.label}
            data-testid="viewer-mark"
            data-mark={mark.id}
            data-tone={mark.tone}
            onClick={() => mark.onClick?.()}
          >
            {mark.text ?? TONES[mark.tone].sign}
          </button>
        )),
      )}
    </div>
  );
}

function put(tag: HTMLElement, mark: Mark, easel: Easel, pane: Pane | undefined): void {
  const scene = easel.scene;
  const leaf = pane?.leaves.find(({ sheet }) => sheet && (mark.unit === undefined || mark.unit === sheet.unit));
  const spot = mark.at ?? (mark.outline && boxOf(mark.outline));
  if (!pane || !leaf || !spot || !scene || !shownIn(mark, pane, scene)) {
    tag.hidden = true;
    return;
  }
  const [x, y] = easel.place(pane, leaf, [spot[0], spot[1]]);
  const [left, top, width, height] = pane.rect;
  tag.hidden = x < left - 2 || y < top - 2 || x > left + width + 2 || y > top + height + 2;
  tag.style.transform = `translate(${x}px, ${y}px)`;
}
