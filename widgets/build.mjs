// Bundles the widgets into lantern_kit/static: `node build.mjs [--watch | --test]`.
//   loader.js   what travels in every widget's state: a few lines that fetch the rest from the kernel, once a page
//   widgets.js  everything else
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const common = {
  absWorkingDir: here,
  bundle: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".css": "text" },
  legalComments: "inline",
  logLevel: "warning",
};

if (process.argv.includes("--test")) {
  const out = mkdtempSync(join(tmpdir(), "lantern-widgets-"));
  const tests = readdirSync(join(here, "src"), { recursive: true }).filter((name) => name.endsWith(".test.ts"));
  await esbuild.build({
    ...common,
    entryPoints: tests.map((name) => join("src", name)),
    outdir: out,
    platform: "node",
    outExtension: { ".js": ".mjs" },
  });
  const built = readdirSync(out, { recursive: true }).filter((name) => name.endsWith(".mjs"));
  const done = spawnSync(process.execPath, ["--test", ...built.map((name) => join(out, name))], { stdio: "inherit" });
  rmSync(out, { recursive: true });
  process.exit(done.status ?? 1);
}

const options = {
  ...common,
  entryPoints: { loader: "src/loader.ts", widgets: "src/main.tsx" },
  outdir: "../lantern_kit/static",
  minify: true,
};
if (process.argv.includes("--watch")) {
  await (await esbuild.context(options)).watch();
} else {
  await esbuild.build(options);
}
