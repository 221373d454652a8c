// What travels between a widget and its kernel, beside the synced traits.

export type Data = Record<string, unknown>;

/** What a widget sees of its model: the part of anywidget's proxy that is used here. */
export interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  send(content: Data, callbacks?: unknown, buffers?: ArrayBuffer[]): void;
  // biome-ignore lint/suspicious/noExplicitAny: events carry what their name says
  on(name: string, callback: (...args: any[]) => void): void;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  off(name: string, callback?: (...args: any[]) => void): void;
}

export interface Mounted {
  model: Model;
  el: HTMLElement;
  signal: AbortSignal;
}

export interface Progress {
  done: number;
  total: number;
  words: string;
}

/** An error as every face of the kit says it. */
export interface Refusal {
  code: string;
  message: string;
  retryable?: boolean;
  expected?: unknown;
  found?: unknown;
  ids?: string[];
  recovery?: string;
}

/** kernel → browser */
export type Message =
  | { id: number; ok: Data }
  | { id: number; error: Refusal }
  | { id: number; progress: Progress }
  | { event: string; data: Data };
