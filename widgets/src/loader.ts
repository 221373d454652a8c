// All that a saved notebook holds of a widget's code. It asks the kernel for the bundle once a page and build.
import type { Message, Model, Mounted } from "./protocol.ts";

interface Bundle {
  mount(mounted: Mounted): undefined | (() => void);
}
type Store = Record<string, Promise<Bundle>>;

const page = globalThis as unknown as { __lanternKit?: Store };
const RETRY = 5_000;

function fetched(model: Model): Promise<Bundle> {
  return new Promise((resolve, reject) => {
    const ask = () => model.send({ ask: "code", id: 0, args: {}, language: "en" });
    const heard = (message: Message, buffers: (DataView | ArrayBuffer)[]) => {
      const [code] = buffers;
      if (!("ok" in message) || message.id !== 0 || code === undefined) return;
      clearInterval(again);
      model.off("msg:custom", heard);
      const url = URL.createObjectURL(new Blob([code as BlobPart], { type: "text/javascript" }));
      import(url).then(resolve, reject).finally(() => URL.revokeObjectURL(url));
    };
    model.on("msg:custom", heard);
    const again = setInterval(ask, RETRY);
    ask();
  });
}

async function render({ model, el, signal }: Mounted) {
  page.__lanternKit ??= {};
  const store = page.__lanternKit;
  const build = String(model.get("build"));
  const note = document.createElement("p");
  note.style.opacity = "0.7";
  note.setAttribute("role", "status");
  const zh = document.documentElement.lang.startsWith("zh") || model.get("language") === "zh";
  note.textContent = zh ? "正在等待内核……" : "Waiting for the kernel…";
  const late = setTimeout(() => el.append(note), 400);
  try {
    store[build] ??= fetched(model);
    const bundle = await store[build];
    if (signal.aborted) return;
    const unmount = bundle.mount({ model, el, signal });
    return unmount;
  } catch (error) {
    delete store[build];
    el.textContent = `Lantern Kit: ${error instanceof Error ? error.message : error}`;
  } finally {
    clearTimeout(late);
    note.remove();
  }
}

export default { render };
