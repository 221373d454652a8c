// The line to the kernel: asks with answers, progress and refusals; events; and whether anybody is still there.
import { signal as cell, type Signal } from "@preact/signals";
import type { Data, Message, Model, Progress, Refusal } from "./protocol.ts";
import { again, type Language } from "./words.ts";

export interface Answer<T = Data> {
  data: T;
  buffers: ArrayBuffer[];
}

export interface AskOptions {
  /** Bytes beside the arguments: what is large, or must be in no log of messages. */
  buffers?: ArrayBuffer[];
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

/** live: it answers. waiting: it has not answered for a while, busy or gone. gone: it will not answer any more. */
export type LinkState = "live" | "waiting" | "gone";

/** The kernel said no, and why. */
export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = "Refused";
    this.refusal = refusal;
  }
}

interface Open {
  resolve(answer: Answer): void;
  reject(error: Error): void;
  onProgress: ((progress: Progress) => void) | undefined;
}

const BEAT = 4_000;
const PATIENCE = 3_000;

export class Link {
  readonly state: Signal<LinkState> = cell<LinkState>("live");
  #model: Model;
  #language: () => Language;
  #next = 1;
  #open = new Map<number, Open>();
  #listeners = new Map<string, Set<(data: Data) => void>>();
  #beat: ReturnType<typeof setInterval>;
  #pinging = false;
  #closed = false;

  constructor(model: Model, language: () => Language) {
    this.#model = model;
    this.#language = language;
    model.on("msg:custom", this.#heard);
    model.on("comm:close", this.#end);
    model.on("destroy", this.#end);
    model.on("comm_live_update", this.#doubt);
    this.#beat = setInterval(() => {
      if (document.visibilityState === "visible") void this.ping();
    }, BEAT);
  }

  /** Ask the kernel. Rejects with Refused when it says no, with an AbortError when given up. */
  ask<T = Data>(name: string, args: Data = {}, options: AskOptions = {}): Promise<Answer<T>> {
    const { signal, onProgress, buffers } = options;
    if (this.state.value === "gone") return Promise.reject(this.#absent());
    if (signal?.aborted) return Promise.reject(aborted());
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const finish = () => {
        this.#open.delete(id);
        signal?.removeEventListener("abort", giveUp);
      };
      const giveUp = () => {
        finish();
        this.#send({ cancel: id });
        reject(aborted());
      };
      signal?.addEventListener("abort", giveUp);
      this.#open.set(id, {
        resolve: (answer) => {
          finish();
          resolve(answer as Answer<T>);
        },
        reject: (error) => {
          finish();
          reject(error);
        },
        onProgress,
      });
      this.#send({ ask: name, id, args, language: this.#language() }, buffers);
    });
  }

  /** Hear an event of the kernel; gives the way to stop. */
  on(event: string, listener: (data: Data) => void): () => void {
    const known = this.#listeners.get(event) ?? new Set();
    known.add(listener);
    this.#listeners.set(event, known);
    return () => known.delete(listener);
  }

  /** Whether somebody answers. */
  async ping(): Promise<void> {
    if (this.#pinging || this.state.value === "gone") return;
    this.#pinging = true;
    const late = setTimeout(() => {
      if (this.state.value === "live") this.state.value = "waiting";
    }, PATIENCE);
    try {
      await this.ask("ping");
      if (this.state.value === "waiting") this.state.value = "live";
    } catch {
      // what ends the line says so itself
    } finally {
      clearTimeout(late);
      this.#pinging = false;
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#beat);
    this.#model.off("msg:custom", this.#heard);
    this.#model.off("comm:close", this.#end);
    this.#model.off("destroy", this.#end);
    this.#model.off("comm_live_update", this.#doubt);
    for (const open of [...this.#open.values()]) open.reject(aborted());
  }

  #send(message: Data, buffers?: ArrayBuffer[]): void {
    try {
      this.#model.send(message, undefined, buffers);
    } catch {
      this.#end();
    }
  }

  #heard = (message: Message, buffers: (DataView | ArrayBuffer)[] = []): void => {
    if ("event" in message) {
      for (const listener of this.#listeners.get(message.event) ?? []) listener(message.data);
      return;
    }
    if (this.state.value === "waiting") this.state.value = "live";
    const open = this.#open.get(message.id);
    if (open === undefined) return;
    if ("progress" in message) open.onProgress?.(message.progress);
    else if ("error" in message) open.reject(new Refused(message.error));
    else open.resolve({ data: message.ok, buffers: buffers.map(plain) });
  };

  // Front ends say that something about the comm changed, not what: so somebody is asked.
  #doubt = (): void => {
    this.#pinging = false;
    void this.ping();
  };

  #end = (): void => {
    if (this.state.value === "gone") return;
    this.state.value = "gone";
    for (const open of [...this.#open.values()]) open.reject(this.#absent());
  };

  #absent(): Refused {
    return new Refused({
      code: "disconnected",
      message: this.#language() === "zh" ? "内核已不在。" : "The kernel is gone.",
      recovery: again(this.#language()),
    });
  }
}

function aborted(): Error {
  return new DOMException("given up", "AbortError");
}

/** Whether an error only says that an ask was given up. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

function plain(buffer: DataView | ArrayBuffer): ArrayBuffer {
  if (buffer instanceof ArrayBuffer) return buffer;
  return buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength) as ArrayBuffer;
}
