// The one style sheet of all widgets.
import activity from "./activity/activity.css";
import shell from "./shell.css";

export const STYLES = [shell, activity].join("\n");
