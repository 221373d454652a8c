// Where a browser has no canvas: the same tiles as plain pictures, still and whole.
import { useEffect, useState } from "preact/hooks";
import { ErrorBox } from "../kit/kit.tsx";
import { isAbort } from "../link.ts";
import { useSay, useShared } from "../shell.tsx";
import type { Table } from "../words.ts";
import type { Leaf, Sheet } from "./sheet.ts";
import { levelFor, spotsWithin } from "./tiles.ts";

const WORDS = {
  unable: [
    "This browser gives no canvas to draw on, so the picture stands still. Its objects are listed below it.",
    "此浏览器无法提供绘图画布，因此画面只能静态显示。其对象列在下方。",
  ],
} as const satisfies Table;

const PIXELS = 1_000;
const MOST = 24;

interface Piece {
  url: string;
  style: Record<string, string>;
}

export function Plain({ leaves, label }: { leaves: readonly Leaf[]; label: string }) {
  const say = useSay(WORDS);
  const sheets = leaves.flatMap(({ sheet }) => (sheet ? [sheet] : []));
  return (
    <div class="lk-viewer-plain" data-testid="viewer-plain">
      <p role="status">{say("unable")}</p>
      {sheets.map((sheet) => (
        <StillSheet key={sheet.key} sheet={sheet} label={label} />
      ))}
    </div>
  );
}

function StillSheet({ sheet, label }: { sheet: Sheet; label: string }) {
  const { link } = useShared();
  const [pieces, setPieces] = useState<Piece[]>([]);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const leaving = new AbortController();
    const urls: string[] = [];
    const level = levelFor(sheet.levels, PIXELS / Math.max(sheet.area[2], sheet.area[3]));
    const grid = sheet.levels[level];
    if (grid === undefined) return;
    const spots = spotsWithin(sheet, level, [0, 0, grid.width, grid.height]).slice(0, MOST);
    link
      .ask(
        "tiles",
        {
          source: sheet.source,
          unit: sheet.unit,
          level,
          tiles: spots.map(([, column, row]) => [column, row]),
        },
        { signal: leaving.signal },
      )
      .then(({ buffers }) => {
        const share = (pixels: number, of: number) => `${(100 * pixels) / of}%`;
        const made = buffers.map((bytes, at) => {
          const [, column, row] = spots[at] ?? [0, 0, 0];
          const url = URL.createObjectURL(new Blob([bytes]));
          urls.push(url);
          const [x, y] = [column * sheet.tile, row * sheet.tile];
          return {
            url,
            style: {
              left: share(x, grid.width),
              top: share(y, grid.height),
              width: share(Math.min(sheet.tile, grid.width - x), grid.width),
              height: share(Math.min(sheet.tile, grid.height - y), grid.height),
            },
          };
        });
        setPieces(made);
      })
      .catch((failed: unknown) => {
        if (!isAbort(failed)) setError(failed);
      });
    return () => {
      leaving.abort();
      for (const url of urls) URL.revokeObjectURL(url);
    };
  }, [link, sheet]);
  const [, , width, height] = sheet.area;
  return (
    <>
      <div
        class="lk-viewer-still"
        role="img"
        aria-label={label}
        style={{ aspectRatio: `${width} / ${height}`, width: `min(100%, ${(520 * width) / height}px)` }}
      >
        {pieces.map((piece) => (
          <img key={piece.url} src={piece.url} alt="" style={piece.style} />
        ))}
      </div>
      <ErrorBox error={error} testid="viewer-fault-why" />
      <ul class="lk-viewer-list">
        {sheet.objects.map((thing) => (
          <li key={thing.id}>{thing.name}</li>
        ))}
      </ul>
    </>
  );
}
