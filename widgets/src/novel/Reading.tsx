// The text: what is committed and nothing else; what is under way is told below it, apart.
import { useEffect, useRef } from "preact/hooks";
import { Button, ErrorBox } from "../kit/kit.tsx";
import { useSay, useShared } from "../shell.tsx";
import { type Desk, type Piece, placeName } from "./facts.ts";
import { useFigures, useStory } from "./shared.ts";
import { WORDS } from "./words.ts";

export function Reading({ desk }: { desk: Desk }) {
  const { announce } = useShared();
  const story = useStory();
  const say = useSay(WORDS);
  const { count } = useFigures();
  const page = useRef<HTMLElement>(null);
  const before = useRef<{ chapter: string; written: number } | undefined>(undefined);

  const at = desk.chapters.findIndex((chapter) => chapter.id === story.chapter.value);
  const chapter = desk.chapters[at];
  const ready = story.read.value === story.chapter.value;
  const pieces = ready ? story.pieces.value : [];
  const { marked, jumps, view } = story;

  // What the newest chapter gained is said to those who listen, once its text is there.
  useEffect(() => {
    if (chapter === undefined || !ready) return;
    const last = before.current;
    before.current = { chapter: chapter.id, written: chapter.written };
    if (last !== undefined && last.chapter === chapter.id && chapter.written > last.written) {
      announce(say("grew", { title: chapter.title, n: count(chapter.written - last.written) }));
    }
  }, [pieces]);

  useEffect(() => {
    if (marked.value === "" || !ready || chapter === undefined) return;
    const found = page.current?.querySelector<HTMLElement>(`[data-place="${CSS.escape(marked.value)}"]`);
    if (!found) return;
    found.scrollIntoView({ block: "center" });
    found.focus({ preventScroll: true });
    const all = [...(page.current?.querySelectorAll("[data-place]") ?? [])];
    announce(say("jumped", { n: all.indexOf(found) + 1, title: chapter.title }));
  }, [jumps.value, ready, pieces.length, view.value]);

  const go = (step: number) => {
    const other = desk.chapters[at + step];
    if (other === undefined) return;
    story.show(other.id);
    if (page.current !== null) page.current.scrollTop = 0;
  };
  const newest = desk.chapters.findLast((item) => item.pieces > 0);
  const unit = desk.run.work?.unit;
  const here = unit?.state === "claimed" && desk.run.work?.chapter?.id === chapter?.id && story.author.value !== "";
  const authors = [...new Set(pieces.map((piece) => piece.author))];
  return (
    <>
      <div class="lk-bar lk-novel-walk">
        <Button data-testid="novel-previous" disabled={at <= 0} onClick={() => go(-1)} aria-label={say("previous")}>
          ←
        </Button>
        <Button
          data-testid="novel-next"
          disabled={at < 0 || at >= desk.chapters.length - 1}
          onClick={() => go(1)}
          aria-label={say("next")}
        >
          →
        </Button>
        {chapter !== undefined && (
          <span class="lk-soft">{say("chapter_of", { n: at + 1, all: desk.chapters.length })}</span>
        )}
        {newest !== undefined && newest.id !== chapter?.id && (
          <Button data-testid="novel-newest" onClick={() => story.show(newest.id)}>
            {say("newest")}
          </Button>
        )}
      </div>
      <ErrorBox error={story.errors.value.prose} testid="novel-prose-error" />
      <section
        class="lk-novel-page"
        ref={page}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled with keys too
        tabIndex={0}
        aria-label={say("read", { title: chapter?.title ?? desk.title })}
      >
        {chapter === undefined ? (
          <p class="lk-soft" data-testid="novel-empty">
            {say("empty")}
          </p>
        ) : (
          <article class="lk-novel-prose" lang={desk.language} data-testid="novel-prose">
            <h4 class="lk-novel-heading" dir="auto">
              {chapter.title}
            </h4>
            {pieces.map((piece, place) => (
              <PieceText
                key={piece.commit}
                piece={piece}
                rest={place > 0 && pieces[place - 1]?.scene !== piece.scene}
                marked={marked.value.startsWith(piece.commit) ? marked.value : ""}
              />
            ))}
          </article>
        )}
        {chapter !== undefined && ready && pieces.length === 0 && (
          <p class="lk-soft" data-testid="novel-empty">
            {say("empty_chapter")}
          </p>
        )}
        {here && unit !== undefined && unit !== null && (
          <p class="lk-novel-coming" role="status" data-testid="novel-coming">
            {say("coming", { n: unit.number })}
          </p>
        )}
        {authors.length > 0 && (
          <p class="lk-soft lk-novel-by" data-testid="novel-by">
            {say("written_by", { who: authors.join(", ") })}
          </p>
        )}
      </section>
    </>
  );
}

/** A committed piece; between scenes there is a rest. */
function PieceText({ piece, rest, marked }: { piece: Piece; rest: boolean; marked: string }) {
  return (
    <>
      {rest && (
        <p class="lk-novel-rest" aria-hidden="true">
          ＊
        </p>
      )}
      {piece.paragraphs.map((words, paragraph) => {
        const name = placeName({ commit: piece.commit, paragraph });
        return (
          <p
            key={name}
            dir="auto"
            tabIndex={-1}
            data-testid="novel-paragraph"
            data-place={name}
            data-marked={name === marked || undefined}
          >
            {words}
          </p>
        );
      })}
    </>
  );
}
