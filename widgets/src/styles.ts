// The one style sheet of all widgets.
import activity from "./activity/activity.css";
import history from "./history/history.css";
import job from "./job/job.css";
import notes from "./notes/notes.css";
import novel from "./novel/novel.css";
import page from "./page/page.css";
import review from "./review/review.css";
import shell from "./shell.css";
import viewer from "./viewer/viewer.css";

export const STYLES = [shell, viewer, activity, history, job, notes, novel, review, page].join("\n");
