"""Workspaces: one folder with everything of a studio's works, opened by several processes at once.

``journal.sqlite`` the history of everything; ``blobs/`` pictures by hash; ``inbox/`` where agents may read files from;
``exports/``, ``notebooks/``; ``analysis.duckdb`` a projection that can be deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lantern_kit.asking import Ask, typed, user
from lantern_kit.assets import LARGEST_FILE, check_title, verify_assets
from lantern_kit.comic.measure import counted
from lantern_kit.comic.service import ComicService
from lantern_kit.comic.shelf import checked_entry, entries_for_checks, sound_entry
from lantern_kit.comic.work.asset import AssetShelf
from lantern_kit.comic.work.library import LibraryWork
from lantern_kit.folders import DEMO_KEYS, FOLDERS, in_use, require_free, require_workspace, shipped_notebooks
from lantern_kit.home import config_folder
from lantern_kit.kernel.activity_groups import overdue, settle
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.blobs import FolderBlobs
from lantern_kit.kernel.clock import Clock, SystemClock
from lantern_kit.kernel.documents import Documents
from lantern_kit.kernel.engine import Journal
from lantern_kit.kernel.errors import Busy, LanternError, WorkspaceProblem
from lantern_kit.kernel.history import History
from lantern_kit.kernel.ids import IdSource, RandomIds
from lantern_kit.kernel.progress import Progress, reporting
from lantern_kit.kernel.verify import Report, readable, verify_kernel
from lantern_kit.library.records import verify_library
from lantern_kit.migrations import bring_up
from lantern_kit.novel.service import NovelService
from lantern_kit.uploads import Uploads

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from lantern_kit.comic.annotations import AnnotationService
    from lantern_kit.comic.candidates import CandidateService
    from lantern_kit.comic.checks import Checker
    from lantern_kit.comic.drafts import DraftService
    from lantern_kit.comic.keychain import Enrolled
    from lantern_kit.comic.proposals import ProposalService
    from lantern_kit.comic.renderer import Renderer
    from lantern_kit.comic.typeset.fonts import Fonts
    from lantern_kit.comic.work.activity import Activity
    from lantern_kit.comic.work.chapter import ChapterWork
    from lantern_kit.comic.work.comic import Comic
    from lantern_kit.comic.work.proposal import ProposalShelf
    from lantern_kit.comic.work.works import Works
    from lantern_kit.kernel.capability import Dispatcher
    from lantern_kit.keyring import KeyRing
    from lantern_kit.keys import KeyFolder, UnlockedKey
    from lantern_kit.novel.capabilities.deductions import Cast
    from lantern_kit.novel.capabilities.seats import Seats
    from lantern_kit.novel.work.novel import NovelWork
    from lantern_kit.novel.work.shelf import NovelShelf
    from lantern_kit.review_site import ReviewSite


class Workspace:
    """An open workspace. Made by ``open_workspace`` and ``create_workspace``.

    Args:
        path: the folder.
        roots: folders, besides ``inbox/``, from which agents may read files.
        config: the person's own folder, where private keys are; None is the usual one.
        ask: how to ask a person for a passphrase; None asks in the terminal.
        clock, ids: injected by tests and the demo.
    """

    def __init__(
        self,
        path: Path,
        *,
        roots: Sequence[Path] = (),
        config: Path | None = None,
        ask: Ask | None = None,
        clock: Clock | None = None,
        ids: IdSource | None = None,
    ) -> None:
        self.path = path
        self.config = config if config is not None else config_folder()
        self.clock = clock or SystemClock()
        self.ids = ids or RandomIds()
        self.journal = Journal(path / "journal.sqlite")
        bring_up(self.journal)
        self.blobs = FolderBlobs(path / "blobs")
        self.history = History(self.clock)
        self._ask = ask
        self._facts = self._read_facts()
        self.assets = AssetShelf(
            self.journal, self.blobs, self.clock, self.ids, (path / "inbox", *roots), owner=self.owner
        )
        self.uploads = Uploads(self.blobs.folder, self.clock, self.ids, largest=LARGEST_FILE)
        self.library = LibraryWork(
            self.journal, self.assets, self.clock, self.ids, owner=self.owner, check=checked_entry, host=self
        )
        self.comics = ComicService(
            self.journal, Documents(), self.history, self.assets, self.clock, self.ids, self.library
        )
        self.novel_service = NovelService(self.journal, Documents(), self.history, self.blobs, self.clock, self.ids)
        self._dispatchers: list[Dispatcher] = []
        self._closing: list[Callable[[], None]] = []

    # facts

    @property
    def id(self) -> str:
        """The workspace's id: part of every signature made in it."""
        return self._facts["id"]

    @property
    def title(self) -> str:
        """The workspace's title."""
        return self._facts["title"]

    @property
    def owner(self) -> Actor:
        """The person the workspace belongs to; acts when nobody else is named."""
        return Actor.person(self._facts["owner"])

    def __repr__(self) -> str:
        chapters, novels = len(self.comics.chapters()), len(self.novel_service.novels())
        held = [counted(chapters, "chapter")] if chapters or not novels else []
        return f"<Workspace {self.title!r}: {', '.join([*held, *([counted(novels, 'novel')] if novels else [])])}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        from lantern_kit.comic.work.show import bundle
        from lantern_kit.comic.work.works import show_workspace

        novels = self.novels.html() if self.novel_service.novels() else ""
        return bundle(repr(self), show_workspace(self, self.title) + novels)

    # services

    @cached_property
    def fonts(self) -> Fonts:
        """What words are set in: the kit's fonts, and those in the workspace's folder ``fonts`` when first asked."""
        from lantern_kit.comic.typeset.fonts import SUFFIXES, Fonts, packaged_fonts

        own = self.path / "fonts"
        there = any(path.suffix.lower() in SUFFIXES for path in own.rglob("*"))
        return Fonts((own,)) if there else packaged_fonts()

    @cached_property
    def renderer(self) -> Renderer:
        """Draws units."""
        from lantern_kit.comic.renderer import Renderer

        return Renderer(self.assets, fonts=self.fonts)

    @cached_property
    def checker(self) -> Checker:
        """Checks units for what a good page should not have."""
        from lantern_kit.comic.checks import Checker

        return Checker(self.assets, fonts=self.fonts, kept=entries_for_checks(self.library))

    @cached_property
    def candidates(self) -> CandidateService:
        """Change sets that wait beside agents' drafts, made together with the drafts whose life they follow."""
        from lantern_kit.comic.candidates import CandidateService
        from lantern_kit.comic.drafts import DraftService

        return CandidateService(self.comics, DraftService(self.comics, self.checker))

    @cached_property
    def annotation_service(self) -> AnnotationService:
        """Annotations, made together with the drafts and proposals whose life they follow."""
        from lantern_kit.comic.annotations import AnnotationService
        from lantern_kit.comic.proposals import ProposalService

        drafts = self.candidates.drafts
        proposals = ProposalService(self.comics, drafts, self.checker, self.id)
        return AnnotationService(self.comics, drafts, proposals)

    @property
    def drafts(self) -> DraftService:
        """Agents' drafts."""
        return self.annotation_service.drafts

    @property
    def proposal_service(self) -> ProposalService:
        """Frozen proposals, below the objects people hold."""
        return self.annotation_service.proposals

    def dispatcher(self) -> Dispatcher:
        """The single path for capability calls."""
        from lantern_kit.comic.capabilities import CAPABILITIES
        from lantern_kit.comic.capabilities.services import ComicServices
        from lantern_kit.kernel.capability import Dispatcher

        services = ComicServices(
            comics=self.comics,
            drafts=self.drafts,
            candidates=self.candidates,
            proposals=self.proposal_service,
            annotations=self.annotation_service,
            assets=self.assets,
            checker=self.checker,
            renderer=self.renderer,
            uploads=self.uploads,
        )
        made = Dispatcher(self.journal, self.clock, CAPABILITIES, services)
        self._dispatchers.append(made)
        return made

    def novel_dispatcher(self, novel: str, *, seats: Seats | None = None, cast: Cast | None = None) -> Dispatcher:
        """The single path for capability calls about one novel, which no call can name another of.

        Args:
            novel: its id.
            seats: where an author's right to write comes from; None: taken by whoever asks for work, and given back
                when the workspace is closed.
            cast: who plays the people of a deduction; None: the host has somebody do it.

        Raises NotFound.
        """
        from lantern_kit.kernel.capability import Dispatcher
        from lantern_kit.novel.capabilities import CAPABILITIES
        from lantern_kit.novel.capabilities.deductions import Deductions
        from lantern_kit.novel.capabilities.seats import ServedSeat
        from lantern_kit.novel.capabilities.services import NovelServices
        from lantern_kit.novel.projection import Projection
        from lantern_kit.novel.reading import Reader
        from lantern_kit.novel.search import Search
        from lantern_kit.novel.work.running import projections

        service, folder = self.novel_service, projections(self)
        found = service.find(novel).id
        if seats is None:
            seats = served = ServedSeat(service, found, Projection(folder, service).bring_up)
            self._closing.append(served.close)
        held = NovelServices(
            service=service,
            novel=found,
            reader=Reader(service, found),
            search=Search(folder, service),
            seats=seats,
            deductions=Deductions(),
            cast=cast,
        )
        made = Dispatcher(self.journal, self.clock, CAPABILITIES, held, found)
        self._dispatchers.append(made)
        return made

    # what people hold

    def comic(self, title: str) -> Comic:
        """A comic by title. Raises NotFound."""
        from lantern_kit.comic.work.comic import Comic

        return Comic(self, title)

    def works(self) -> Works:
        """All comics, by title."""
        from lantern_kit.comic.work.works import all_works

        return all_works(self)

    @property
    def novels(self) -> NovelShelf:
        """Novels: begin one, list them, or have one by its title or id."""
        from lantern_kit.novel.work.shelf import NovelShelf

        return NovelShelf(self)

    def novel(self, name: str) -> NovelWork:
        """A novel by id, or by a title that only one has. Raises NotFound."""
        return self.novels.get(name)

    @property
    def proposals(self) -> ProposalShelf:
        """Proposals as people hold them."""
        from lantern_kit.comic.work.proposal import ProposalShelf

        return ProposalShelf(self)

    @property
    def keys(self) -> KeyRing:
        """The keys that may decide here: let in, replace, revoke, see."""
        from lantern_kit.keyring import KeyRing
        from lantern_kit.keys import KeyFolder

        def folder(demo: bool) -> KeyFolder:  # noqa: FBT001  it answers one question
            return KeyFolder(self.path / DEMO_KEYS if demo else self.config)

        return KeyRing(self.journal, self.clock, self.id, folder, self._ask or typed)

    def reviewer(self, name: str | None = None, *, ask: Ask | None = None) -> UnlockedKey:
        """Unlock the key of an enrolled reviewer, asking for its passphrase up to three times. Raises NotAllowed.

        Args:
            name: whose; None is the newest key that is here.
            ask: how the passphrase is asked for; None as the workspace was opened.
        """
        return self.keys.unlock(name, ask=ask)

    def reviewers(self) -> list[Enrolled]:
        """Everybody whose key may decide here, oldest first."""
        return self.keys.active()

    def holds(self, reviewer: Enrolled) -> bool:
        """Whether the private half of a reviewer's key is on this machine."""
        return self.keys.holds(reviewer)

    def deciding(self, name: str | None = None) -> Enrolled:
        """The enrolled key that ``reviewer`` unlocks: the newest whose private half is here. Raises NotAllowed."""
        return self.keys.deciding(name)

    def enrol(self, name: str, passphrase: str | None, *, demo: bool = False, by: UnlockedKey | None = None) -> str:
        """Make a key for a reviewer and let it decide; gives its id. Options are those of ``KeyRing.enrol``."""
        return self.keys.enrol(name, passphrase, demo=demo, by=by).key

    def activity(
        self,
        chapter: ChapterWork | str = "",
        *,
        agent: str = "",
        after: str = "",
        before: str = "",
        limit: int = 100,
    ) -> Activity:
        """What agents did: the newest events under the tasks they belong to, or those after or before one.

        Args:
            chapter: only of this chapter, itself or its id; or the id of a novel.
            agent: only of this agent, by name.
            after, before: an event such as e120: ``after=page.cursor`` gives what came since.
            limit: how many events, 1 to 1,000.

        Raises:
            NotFound, BadInput.
        """
        from lantern_kit.comic.approvals import choices_of_applies
        from lantern_kit.comic.choices import left_out
        from lantern_kit.comic.work.activity import Activity
        from lantern_kit.kernel.activity_page import read_page

        scope = chapter if isinstance(chapter, str) else chapter.id
        if scope:
            novels = self.novel_service
            scope = novels.find(scope).id if scope.startswith("nv_") else self.comics.find_chapter(scope).id
        self._take_note()
        now = self.clock.now()
        with self.journal.read() as connection:
            page = read_page(connection, now, scope=scope, actor=agent, after=after, before=before, limit=limit)
            missing = {name: left_out(text) for name, text in choices_of_applies(connection).items()}
        works = {item.id: f"{item.comic} {item.number}" for item in self.comics.chapters()}
        works |= {item.id: item.title for item in self.novel_service.novels()}
        return Activity(self, page, works, missing, scope=scope, chosen=bool(agent or after or before))

    def _take_note(self) -> None:
        """Keep what this process observed, and note the windows that ran out, unless others keep the journal busy."""
        for dispatcher in self._dispatchers:
            dispatcher.try_flush()
        now = self.clock.now()
        with self.journal.read() as connection:
            late = overdue(connection, now)
        if late:
            with suppress(Busy, WorkspaceProblem), self.journal.write() as connection:
                settle(connection, now)

    def review_site(self) -> ReviewSite | None:
        """The review server that runs for this workspace, if one does (``lantern review``)."""
        from lantern_kit.review_site import running_site

        return running_site(self.config, self.id)

    # the whole

    def analysis(self, *, progress: Progress | None = None, **options: Any) -> DuckDBPyConnection:
        """A DuckDB connection, brought up to date: revisions, changes, objects, proposals … are plain tables.

        ``progress`` is told of each table, rows done and of how many. The other options are those of
        ``lantern_kit.analysis.analysis``: notify, rebuild, in_memory.
        """
        from lantern_kit import agent_projectors, asset_projectors
        from lantern_kit.analysis import analysis
        from lantern_kit.comic import projectors
        from lantern_kit.novel import projectors as novels

        self._take_note()
        with reporting(progress, "Bringing the tables up to date") as tell:
            return analysis(
                self,
                (
                    *asset_projectors.PROJECTORS,
                    *projectors.PROJECTORS,
                    *novels.PROJECTORS,
                    *agent_projectors.PROJECTORS,
                ),
                progress=tell,
                **options,
            )

    def copy_notebooks(self) -> list[Path]:
        """Copy the kit's notebooks into ``notebooks/``; those that are there already stay as they are."""
        copied = []
        for notebook in shipped_notebooks():
            target = self.path / "notebooks" / notebook.name
            if not target.exists():
                target.parent.mkdir(exist_ok=True)
                target.write_bytes(notebook.read_bytes())
                copied.append(target)
        return copied

    def verify(self, progress: Progress | None = None) -> Report:
        """Check every hash, chain, head, signature and blob, and that what stands beside them agrees.

        ``progress`` is told what is checked, how many of it are done, and of how many; so everywhere in the kit.
        """
        from lantern_kit.comic.annotation_rows import verify_annotations
        from lantern_kit.comic.audit import verify_decisions
        from lantern_kit.comic.candidate_records import verify_candidates
        from lantern_kit.comic.locate import locate
        from lantern_kit.comic.records import verify_records
        from lantern_kit.comic.taking import verify_parts
        from lantern_kit.novel.records import verify_novels

        report = Report()
        with reporting(progress, "Checking") as tell, self.journal.read() as connection, connection.lenient():
            verify_kernel(connection, self.blobs, self.history, report, tell)
            with readable(report, "assets"):
                verify_assets(connection, self.blobs, report, tell)
            with readable(report, "library"):
                verify_library(connection, sound_entry, report, tell)
            with readable(report, "annotations"):
                verify_annotations(connection, report, tell)
            with readable(report, "decisions"):
                verify_decisions(connection, self.id, report, tell)
            with readable(report, "candidates"):
                verify_candidates(connection, self.comics, report, tell)
            with readable(report, "records"):
                verify_records(connection, self.comics, report, tell)
            with readable(report, "parts"):
                verify_parts(connection, self.comics, report, tell)
            with readable(report, "novels"):
                verify_novels(connection, self.novel_service, report, tell)
            locate(connection, self.comics, report, tell)
        return report

    def close(self) -> None:
        """Write down what was observed and close the journal."""
        while self._closing:
            with suppress(LanternError):  # a process that is gone holds no seat
                self._closing.pop()()
        for dispatcher in self._dispatchers:
            dispatcher.close()
        self.uploads.close()
        self.journal.close()

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read_facts(self) -> dict[str, str]:
        with self.journal.read() as connection:
            rows = connection.exec_driver_sql("SELECT key, value FROM workspace").fetchall()
        facts = {str(row[0]): str(row[1]) for row in rows}
        if not {"id", "title", "owner"} <= facts.keys():
            raise WorkspaceProblem(
                "the folder holds a journal that was not finished",
                recovery="Delete the folder if it is new, then run lantern init again.",
            )
        return facts


def open_workspace(path: str | Path, **options: Any) -> Workspace:
    """Open a workspace folder, with the options of ``Workspace``. Raises NotFound, WorkspaceProblem, NewerWorkspace."""
    return Workspace(require_workspace(path).resolve(), **options)


def create_workspace(path: str | Path, *, title: str, owner: str | None = None, **options: Any) -> Workspace:
    """Make an empty workspace in a new or empty folder and open it. Raises WrongState when the folder is in use."""
    folder = require_free(path)
    check_title(title)
    owner = Actor.person(owner or user()).name
    try:
        for name in FOLDERS:
            (folder / name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorkspaceProblem(
            f"the folder cannot be made: {error.strerror}",
            ids=[folder.name],
            recovery="Name a folder where you may write, on a disk with room.",
        ) from error
    folder = folder.resolve()
    ids: IdSource = options.get("ids") or RandomIds()
    journal = Journal(folder / "journal.sqlite")
    bring_up(journal)
    facts = {"id": ids.new("ws"), "title": title, "owner": owner}
    with journal.write() as connection:
        if connection.exec_driver_sql("SELECT 1 FROM workspace").fetchone() is not None:
            raise in_use(folder)  # another process made it at the same moment
        connection.exec_driver_sql("INSERT INTO workspace (key, value) VALUES (?, ?)", list(facts.items()))
    journal.close()
    return Workspace(folder, **options)
