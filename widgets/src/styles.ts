// The one style sheet of all widgets.
import activity from "./activity/activity.css";
import notes from "./notes/notes.css";
import shell from "./shell.css";
import viewer from "./viewer/viewer.css";

export const STYLES = [shell, viewer, activity, notes].join("\n");
