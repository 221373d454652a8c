// The one verdict that is on its way: sent once, followed while it is, and known again when its answer never comes.
import { type Signal, signal } from "@preact/signals";
import { isAbort, type Link, Refused } from "../link.ts";
import type { Data, Progress, Refusal } from "../protocol.ts";

export interface Wanted {
  verdict: "apply" | "keep" | "discard";
  reason: string;
  who: string;
  hold: boolean;
  /** undefined uses a key that is unlocked, or one without */
  passphrase: string | undefined;
}

export interface Given {
  wanted: Wanted["verdict"];
  progress: Progress | undefined;
  /** the kernel is silent since it was sent */
  silent: boolean;
  /** how it stands was read since: it is not decided so far */
  unheard: boolean;
}

export class Giving {
  /** The verdict that is on its way. */
  readonly now: Signal<Given | undefined> = signal(undefined);
  #link: Link;
  #leaving: AbortController | undefined;
  #ticket = "";

  constructor(link: Link) {
    this.#link = link;
  }

  /** By which the kernel knows the verdict that is on its way; "" when none is. */
  get ticket(): string {
    return this.now.value === undefined ? "" : this.#ticket;
  }

  /**
   * Send a verdict, with the passphrase beside it as bytes, and take its answer as `settle` says while it still counts as
   * being given. Gives the refusal, or whether it was given or nobody waits for it any more.
   */
  async send(
    wanted: Wanted,
    seen: Data,
    settle: (refusal: Refusal | undefined) => Promise<void>,
  ): Promise<"given" | "left" | Refusal> {
    const leaving = new AbortController();
    this.#leaving = leaving;
    this.#ticket = ticket();
    this.now.value = { wanted: wanted.verdict, progress: undefined, silent: false, unheard: false };
    const { passphrase, ...rest } = wanted;
    const args = { ...rest, ...seen, ticket: this.#ticket };
    const beside = passphrase === undefined ? {} : { buffers: [new TextEncoder().encode(passphrase).buffer] };
    const onProgress = (progress: Progress) => this.tell({ progress, silent: false });
    try {
      await this.#link.ask("verdict", args, { signal: leaving.signal, ...beside, onProgress });
      await settle(undefined);
      return "given";
    } catch (error) {
      if (isAbort(error)) return "left";
      if (!(error instanceof Refused)) throw error;
      await settle(error.refusal);
      return error.refusal;
    } finally {
      this.now.value = undefined;
      this.#leaving = undefined;
    }
  }

  /** Wait for its answer no longer. */
  leave(): void {
    this.#leaving?.abort();
  }

  /** Note what became known of it on its way. */
  tell(news: Partial<Given>): void {
    if (this.now.value !== undefined) this.now.value = { ...this.now.value, ...news };
  }
}

function ticket(): string {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
