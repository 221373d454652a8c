// Some rows of the list as they are drawn, with their part of the graph.
import { Component } from "preact";
import { ago, exact } from "../kit/time.ts";
import type { Language } from "../words.ts";
import { Graph } from "./Graph.tsx";
import { type Scale, touching, widthOf } from "./geometry.ts";
import type { Pages } from "./pages.ts";
import { described, type SayHistory, saidMark, saidWhat, saidWho, word } from "./saying.ts";
import type { Fault, Mark, Row } from "./shapes.ts";

interface ChunkProps {
  pages: Pages | undefined;
  first: number;
  count: number;
  has: boolean;
  selected: string;
  a: string;
  b: string;
  faults: ReadonlyMap<string, Fault[]>;
  scale: Scale;
  now: number;
  name: string;
  total: number;
  say: SayHistory;
  language: Language;
}

/** Some rows under each other; drawn again only when something of theirs is another. */
export class Chunk extends Component<ChunkProps> {
  override shouldComponentUpdate(next: ChunkProps): boolean {
    const before = this.props;
    return (Object.keys(next) as (keyof ChunkProps)[]).some((key) =>
      key === "scale"
        ? next.scale.height !== before.scale.height ||
          next.scale.left !== before.scale.left ||
          next.scale.right !== before.scale.right
        : next[key] !== before[key],
    );
  }

  override render(props: ChunkProps) {
    const { pages, first, count, scale } = props;
    const rows = Array.from({ length: count }, (_, place) => pages?.row(first + place));
    const edges = touching(pages?.edges(first, count) ?? [], first, count);
    return (
      <div role="none" class="lk-history-chunk" style={{ top: `${first * scale.height}px` }}>
        <Graph edges={edges} rows={rows} first={first} scale={scale} faults={props.faults} />
        {rows.map((row, place) =>
          row === undefined ? (
            <div key={`none-${place}`} role="none" class="lk-history-row" style={{ height: `${scale.height}px` }} />
          ) : (
            <RowView key={row.id} row={row} place={first + place} {...props} />
          ),
        )}
      </div>
    );
  }
}

function RowView({ row, place, ...props }: ChunkProps & { row: Row; place: number }) {
  const { say, language, scale, now, name, total } = props;
  const isA = props.a === row.id;
  const isB = props.b === row.id;
  const faults = props.faults.get(row.id) ?? [];
  const said = [
    ...(isA ? [say("markA")] : []),
    ...(isB ? [say("markB")] : []),
    ...faults.map((fault) => say(`fault_${fault.kind}`)),
  ];
  const selected = props.selected === row.id;
  const run = row.run;
  const isFolded = run !== undefined && run.count > 1;
  const message = row.damage ? say(`damage_${row.damage}`) : isFolded ? `${run.oldest} – ${row.id}` : row.message;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names its active row
    <div
      id={`${name}-${row.id}`}
      role="option"
      aria-selected={selected}
      aria-setsize={total}
      aria-posinset={place + 1}
      aria-description={described(say, row, language, said)}
      class={`lk-history-row ${selected ? "lk-history-selected" : ""} ${isA || isB ? "lk-history-marked" : ""}`}
      style={{ height: `${scale.height}px`, paddingLeft: `${widthOf(scale)}px` }}
      data-place={place}
      data-id={row.id}
      data-testid="history-row"
    >
      <span class="lk-history-id lk-code">
        {row.id}
        {isA && <b class="lk-history-ab">A</b>}
        {isB && <b class="lk-history-ab">B</b>}
      </span>
      <time class="lk-history-when lk-soft" title={exact(row.at, language)}>
        {row.damage ? "" : ago(row.at, now, language)}
      </time>
      <span class="lk-history-who" title={row.damage ? "" : saidWho(say, row)}>
        {!row.damage && <span class={`lk-history-kind lk-history-kind-${row.kind}`}>{say(row.kind)}</span>}{" "}
        {row.damage ? "" : row.who}
      </span>
      <span class="lk-history-what">
        {isFolded ? (
          <span class="lk-history-fold" data-act="fold">
            <span aria-hidden="true">▸ </span>
            {saidWhat(say, row)}
          </span>
        ) : (
          <span class="lk-history-cause">{saidWhat(say, row)}</span>
        )}
        {run !== undefined && !isFolded && (
          <span class="lk-history-fold" data-act="fold" title={say("foldAgain")}>
            <span aria-hidden="true">▾</span>
          </span>
        )}
        <span class="lk-history-message" title={message}>
          {message}
        </span>
      </span>
      <span class="lk-history-marks">
        {(row.damage !== undefined || faults.length > 0) && (
          <span class="lk-history-chip lk-history-chip-damage" data-testid="history-damaged">
            {say("damaged")}
          </span>
        )}
        {row.head && <span class="lk-history-chip lk-history-chip-head">{say("head")}</span>}
        {row.marks
          .filter((mark) => !isTold(mark, row.marks))
          .map((mark) => (
            <Chip key={mark.id} mark={mark} say={say} />
          ))}
        {row.from !== undefined && (
          <span class="lk-history-chip lk-history-from" data-act="from">
            {say("copied", { id: row.from })}
          </span>
        )}
        {row.line !== "" && <span class="lk-history-line lk-code">{row.line}</span>}
        {row.changes > 0 && (
          <span class="lk-history-count lk-soft" title={say("changes", { n: row.changes })}>
            ±{row.changes}
          </span>
        )}
      </span>
    </div>
  );
}

/** A proposal whose verdict stands beside it is told by that. */
function isTold(mark: Mark, marks: readonly Mark[]): boolean {
  return mark.kind === "proposal" && marks.some((other) => other.kind === "verdict" && other.proposal === mark.id);
}

function Chip({ mark, say }: { mark: Mark; say: SayHistory }) {
  const words = saidMark(say, mark);
  const short = {
    saved: () => `⚑ ${mark.id}`,
    draft: () => "",
    proposal: () => (mark.kind === "proposal" ? `${mark.id} ${word(say, "state", mark.state)}` : ""),
    verdict: () =>
      mark.kind === "verdict"
        ? `${mark.proposal} ${word(say, "verdict", mark.verdict)}${mark.left_out ? ` −${mark.left_out}` : ""}`
        : "",
  }[mark.kind]();
  if (short === "") return null;
  return (
    <span class={`lk-history-chip lk-history-chip-${mark.kind === "verdict" ? mark.verdict : mark.kind}`} title={words}>
      {short}
    </span>
  );
}
