import type { Table } from "../words.ts";

export const WORDS = {
  title: ["Agents' activity", "智能体活动"],
  none: ["No agent has done anything here yet.", "这里还没有智能体活动。"],
  agent: ["Agent", "智能体"],
  everybody: ["all agents", "全部智能体"],
  failures: ["failures only", "只看失败"],
  earlier: ["Earlier", "更早"],
  tree: ["Tasks of agents and their calls", "智能体任务及其调用"],
  running: ["running", "进行中"],
  timed_out: ["timed out", "观察窗口已过"],
  awaiting: ["awaits a verdict on {proposal}", "等待对 {proposal} 的裁定"],
  completed: ["completed: {proposal} saved as {snapshot}", "已完成：{proposal} 存为 {snapshot}"],
  calls: ["{n} {n|event|events} here", "此处 {n} 条"],
  failed: ["failed: {code}", "失败：{code}"],
  live: ["live", "实时"],
  new: ["{n} new {n|event|events} by {agent}", "{agent} 的 {n} 条新活动"],
  ms: ["{n} ms", "{n} 毫秒"],
  bytes: ["answer {n}", "应答 {n}"],
  task: ["a task before tasks were kept", "早于任务记录的活动"],
} as const satisfies Table;
