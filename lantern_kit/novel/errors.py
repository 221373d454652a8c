"""What can go wrong with a novel, one class per situation (seed 004, 13)."""

from __future__ import annotations

from lantern_kit.kernel.errors import Corrupt, LanternError


class NovelRevisionConflict(LanternError):
    """The outline or the content moved on from the version that the caller went by."""

    code = "novel_revision_conflict"
    retryable = True
    default_recovery = "Read the status and the outline again, then call with the current versions."


class NovelStaleUnit(LanternError):
    """The unit, its brief or its token is no longer valid."""

    code = "novel_stale_unit"
    default_recovery = "Write nothing for it; ask for the next work."


class NovelRequirementConflict(LanternError):
    """An instruction cannot be followed as things are, or is dealt with out of turn."""

    code = "novel_requirement_conflict"
    default_recovery = "Read the requirements and deal with those that are pending, in their order."


class NovelDuplicateCommit(LanternError):
    """The unit was committed already, with other content."""

    code = "novel_duplicate_commit"
    default_recovery = "Keep what is committed; ask for the next work."


class NovelLengthLimit(LanternError):
    """The prose would go past a maximum; nothing was cut and nothing kept."""

    code = "novel_length_limit"
    default_recovery = "Write the unit shorter and commit it again under the same token."


class NovelOwnership(LanternError):
    """Somebody else writes the novel, or the caller no longer does."""

    code = "novel_ownership"
    default_recovery = "Only one author writes at a time: let the other end first."


class NovelCapability(LanternError):
    """The host cannot guarantee what this needs."""

    code = "novel_capability"
    default_recovery = "Choose a host that can, or leave out what needs it."


class NovelStorageCorruption(Corrupt):
    """What is stored of a novel cannot be relied on; nothing goes on until it is restored."""

    code = "novel_storage_corruption"


class NovelNotComplete(LanternError):
    """A chapter or the novel cannot be completed yet; ``details['findings']`` says why."""

    code = "novel_not_complete"
    default_recovery = "Do what the findings name first."


class NovelFindings(LanternError):
    """A guard found something that must be mended, or committed over with a stated reason."""

    code = "novel_findings"
    default_recovery = "Mend it, or send the same again with an override that names the finding's rule and says why."


class NovelDeductionFailed(LanternError):
    """Some of the people of a deduction gave no answer, so that it is none; ``details['failures']`` lists them."""

    code = "novel_deduction_failed"
    retryable = True
    default_recovery = "Have those who failed answer again; what the others said alone is no deduction."


class NovelPaused(LanternError):
    """The novel is paused or completed, so that no author may go on."""

    code = "novel_paused"
    default_recovery = "Stop here; only a person can let it go on."


class ProjectionFailed(LanternError):
    """A reading projection could not be written; the prose itself is safe, and files of before are whole."""

    code = "projection_failed"
    retryable = True
    default_recovery = "Mend the folder or free space, then bring the projection up again; nothing is to be rewritten."
