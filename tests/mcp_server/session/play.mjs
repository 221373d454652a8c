// Plays a recorded session with the client of the official TypeScript SDK, and says on the last line how it went.
//   node play.mjs SDK_FOLDER SCRIPT PHOTOS -- SERVER ARGUMENTS…
// SDK_FOLDER holds node_modules/@modelcontextprotocol/sdk; script.py tells what the lines of SCRIPT mean.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [sdk, script, photos, , server, ...args] = process.argv.slice(2);
const require = createRequire(join(sdk, "package.json"));
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
const { CallToolResultSchema } = require("@modelcontextprotocol/sdk/types.js");

const PHOTOS = "⟦photos⟧";
const ANSWERED = /^⟦(\d+):([^⟧~]+)(~?)⟧$/;
const answers = [];

function filled(value) {
  if (Array.isArray(value)) return value.map(filled);
  if (value !== null && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item)]));
  if (typeof value !== "string") return value;
  if (value.startsWith(PHOTOS)) return photos + value.slice(PHOTOS.length);
  const found = ANSWERED.exec(value);
  if (!found) return value;
  const there = found[2].split("/").reduce((at, step) => at[step], answers[Number(found[1]) - 1]);
  if (typeof there !== "string") throw new Error(`nothing answered to ${value}`);
  return found[3] ? there.split("#")[0] : there;
}

const client = new Client({ name: "typescript-host", version: "1.0" });
await client.connect(new StdioClientTransport({ command: server, args, stderr: "inherit" }));
const { tools } = await client.listTools(); // from here on answers are held to the tools' output schemas
const lines = readFileSync(script, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
let pictures = 0;
let structured = 0;
for (const [place, { tool, arguments: given, refused }] of lines.filter((line) => line.tool).entries()) {
  const result = await client.callTool({ name: tool, arguments: filled(given) }, CallToolResultSchema);
  const text = result.content.filter((block) => block.type === "text").map((block) => block.text).join("");
  const answer = text.startsWith("{") ? JSON.parse(text) : { text };
  const code = result.isError ? answer.code : undefined;
  if (code !== refused) throw new Error(`call ${place + 1}, ${tool}: ${code ?? "done"}, not ${refused ?? "done"}: ${text}`);
  answers.push(answer);
  pictures += result.content.filter((block) => block.type === "image").length;
  structured += result.structuredContent ? 1 : 0;
}
await client.close();
console.log(JSON.stringify({ calls: answers.length, tools: tools.length, pictures, structured }));
