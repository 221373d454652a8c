// The part of the graph that stands beside some rows.
import { colourOf, pathOf, type Scale, type Shape, shapeOf, widthOf, xOf } from "./geometry.ts";
import type { Edge, Fault, Row } from "./shapes.ts";

interface GraphProps {
  edges: readonly Edge[];
  rows: readonly (Row | undefined)[];
  first: number;
  scale: Scale;
  faults: ReadonlyMap<string, Fault[]>;
}

export function Graph({ edges, rows, first, scale, faults }: GraphProps) {
  const bottom = 2 * (first + rows.length) - 1;
  // lanes past the last lie on it: those that only pass by are one line
  const passes = ([, lane, from, to]: Edge) => lane > scale.right && from < 2 * first - 1 && to > bottom;
  const shown = edges.filter((edge) => !passes(edge));
  return (
    <svg
      class="lk-history-graph"
      width={widthOf(scale)}
      height={rows.length * scale.height}
      aria-hidden="true"
      data-testid="history-graph"
    >
      {shown.length < edges.length && (
        <path
          d={`M${xOf(scale.right, scale)} 0V${rows.length * scale.height}`}
          class="lk-history-edge lk-history-colour-0"
          data-crowded=""
        />
      )}
      {shown.map((edge) => {
        const [kind, lane, , , topLane, bottomLane, dashed] = edge;
        const colour = kind === "copy" ? 0 : colourOf(lane === 0 ? Math.max(topLane, bottomLane) : lane);
        const crowded = Math.max(lane, topLane, bottomLane) > scale.right;
        return (
          <path
            key={edge.join()}
            d={pathOf(edge, first, scale)}
            class={`lk-history-edge lk-history-${kind} lk-history-colour-${colour}`}
            data-dashed={dashed === 1 ? "" : undefined}
            data-crowded={crowded ? "" : undefined}
          />
        );
      })}
      {rows.map(
        (row, place) =>
          row !== undefined && (
            <g
              key={row.id}
              transform={`translate(${xOf(row.lane, scale)} ${(place + 0.5) * scale.height})`}
              class={`lk-history-node lk-history-colour-${colourOf(row.lane)}`}
            >
              <Node
                shape={shapeOf(row, (faults.get(row.id)?.length ?? 0) > 0)}
                head={row.head ?? false}
                marked={row.marks.some((mark) => mark.kind === "saved")}
                frozen={row.marks.some((mark) => mark.kind === "proposal")}
              />
            </g>
          ),
      )}
    </svg>
  );
}

/** A node: what it is shows in its shape. */
export function Node(props: { shape: Shape; head?: boolean; marked?: boolean; frozen?: boolean }) {
  const { shape, head = false, marked = false, frozen = false } = props;
  return (
    <>
      {head && <circle r="9" class="lk-history-halo" />}
      {frozen && <path d="M-7 -4V-7H7V-4M-7 4V7H7V4" class="lk-history-stroke" />}
      <Sign shape={shape} />
      {marked && <path d="M4 -3V-11M4 -11L10 -8.5L4 -6" class="lk-history-flag" />}
    </>
  );
}

function Sign({ shape }: { shape: Shape }) {
  switch (shape) {
    case "person":
      return <circle r="5" class="lk-history-fill" />;
    case "agent":
      return <path d="M0 -6L6 0L0 6L-6 0Z" class="lk-history-fill" />;
    case "kit":
      return <rect x="-4.5" y="-4.5" width="9" height="9" class="lk-history-fill" />;
    case "merge":
      return (
        <>
          <circle r="6.5" class="lk-history-hollow" />
          <circle r="3" class="lk-history-fill" />
        </>
      );
    case "run":
      return <path d="M-5.5 -4H5.5M-5.5 0H5.5M-5.5 4H5.5" class="lk-history-bars" />;
    case "back":
    case "forth":
      return (
        <>
          <circle r="6.5" class="lk-history-hollow" />
          <path d={shape === "back" ? "M3 0H-3M0 -3L-3 0L0 3" : "M-3 0H3M0 -3L3 0L0 3"} class="lk-history-thin" />
        </>
      );
    case "pick":
      return (
        <>
          <circle r="6.5" class="lk-history-hollow" />
          <path d="M0 3.5V-3.5M-3 -0.5L0 -3.5L3 -0.5" class="lk-history-thin" />
        </>
      );
    case "damage":
      return (
        <>
          <circle r="7" class="lk-history-hollow" />
          <path d="M-5 -5L5 5M-5 5L5 -5" class="lk-history-cross" />
        </>
      );
  }
}
