import type { Table } from "../words.ts";

export const WORDS = {
  title: ["Job: {name}", "任务：{name}"],
  running: ["running", "进行中"],
  stopping: ["stopping at its next step", "将在下一步停止"],
  done: ["done", "已完成"],
  failed: ["failed", "失败"],
  stopped: ["stopped; nothing half written is left", "已停止，没有留下写了一半的内容"],
  far: ["{done} of {total}", "{done} / {total}"],
  stop: ["Stop", "停止"],
  steady: ["It reports nothing, so it cannot be stopped.", "它不报告进度，因此无法中途停止。"],
  gave: ["gave {what}", "结果：{what}"],
  hours: ["{h} h {m} min", "{h} 小时 {m} 分"],
  minutes: ["{m} min {s} s", "{m} 分 {s} 秒"],
  seconds: ["{s} s", "{s} 秒"],
  ended: ["{name} {state} after {time}", "{name} {state}，用时 {time}"],
} as const satisfies Table;
