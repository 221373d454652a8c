// The bundle: every widget by its kind.
import type { ComponentType } from "preact";
import { ActivityPanel } from "./activity/ActivityPanel.tsx";
import { HistoryView } from "./history/HistoryView.tsx";
import { JobView } from "./job/JobView.tsx";
import { AnnotationPanel } from "./notes/AnnotationPanel.tsx";
import { NovelDesk } from "./novel/NovelDesk.tsx";
import { PageView } from "./page/PageView.tsx";
import type { Mounted } from "./protocol.ts";
import { ProposalReview } from "./review/ProposalReview.tsx";
import { mount as mountShell } from "./shell.tsx";

const KINDS: Record<string, ComponentType> = {
  activity: ActivityPanel,
  history: HistoryView,
  job: JobView,
  notes: AnnotationPanel,
  novel: NovelDesk,
  review: ProposalReview,
  page: PageView,
};

export function mount(mounted: Mounted): () => void {
  const name = String(mounted.model.get("view"));
  const kind = KINDS[name];
  if (kind === undefined) throw new Error(`no view of kind ${name}: the kit was updated; restart the kernel`);
  return mountShell(mounted, kind, name);
}
