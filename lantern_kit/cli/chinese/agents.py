"""What agents did, the kit's own, and what to do next."""

from __future__ import annotations

SENTENCES: dict[str, str] = {
    # activity
    "No agent did anything there.": "那里没有智能体的活动。",
    "running": "运行中",
    "timed out": "已超时",
    "awaits a verdict on {proposal}": "待确认 {proposal}",
    "completed: {proposal} saved as {snapshot}": "已完成：{proposal} 存为 {snapshot}",
    "failed: {code}": "失败：{code}",
    "earlier: --before {event}": "更早：--before {event}",
    "later: --after {event}": "更晚：--after {event}",
    # the kit's own agent
    "say what is wanted: {example}": "请说明要做什么：{example}",
    "--address and --key-env belong to --model": "--address 和 --key-env 须与 --model 同用",
    "--key-env takes the name of an environment variable, never a key": "--key-env 须为环境变量的名称，绝不是密钥本身",
    "Put the key into a variable and name that, or leave --key-env out and type the key.": (
        "请把密钥放入环境变量并指明其名称，或去掉 --key-env 后键入密钥。"
    ),
    "the environment variable that --key-env names is not set": "--key-env 指明的环境变量没有设置",
    "a model needs a key, and nobody is here to type it": "模型需要密钥，而这里没有人可以键入",
    "Name an environment variable that holds it, with --key-env.": "请用 --key-env 指明存放密钥的环境变量。",
    "Key for {model}: ": "{model} 的密钥：",
    "no key was typed": "没有键入密钥",
    "Nothing was changed; run it again.": "什么也没有改变；请重新运行。",
    "what agents need is not installed": "智能体所需的软件包没有安装",
    "Install it with: pip install 'lantern-kit[agents]'": "请安装：pip install 'lantern-kit[agents]'",
    "{model} only stands in for a model: it follows playbooks, offline.": "{model} 只是模型的替身：离线按脚本行事。",
    "Paused. What was carried out is kept.": "已暂停。已完成的都已保存。",
    "go on with it": "继续进行",
    "The turn stopped here; go on with it: {command}": "回合在此停下；继续请用：{command}",
    "Pausing; Ctrl-C again stops at once.": "正在暂停；再按 Ctrl-C 立即停止。",
    "The agent is at work": "智能体正在工作",
    "Nothing came out this time.": "这次什么也没有做出来。",
    "What this turn took could not be kept in the journal.": "这一轮的用量未能记入日志。",
    "The tools' server could not be reached: they were carried out here, directly.": (
        "无法连接工具服务器：工具已在此处直接执行。"
    ),
    "No turns yet.": "还没有回合。",
    "ask the agent for something": "请智能体做点什么",
    "turn": "回合",
    "begun": "开始",
    "outcome": "结果",
    "asked": "要求",
    "made": "已做出",
    "answered": "已回答",
    "nothing": "没有做出",
    "stopped": "已停下",
    "asset": "图片",
    "checker": "检查者",
    # what follows
    "Next:": "接下来：",
}
