import type { StateUpdate } from '../state/state-store.ts';

/** What one tab tells the others about the state under a key, in the order in which things were stored. */
export type StateNotice =
  /** One step was stored; `update` is undefined if everything was replaced or removed. */
  | { readonly kind: 'stored'; readonly revision: number; readonly update: StateUpdate | undefined }
  /** The leading tab says whether the set is up to date. */
  | { readonly kind: 'status'; readonly isLive: boolean }
  /** A tab asks for the status: one that is new, or that is visible and wants to know whether the leading one is alive. */
  | { readonly kind: 'ask' }
  /** A tab does not find the state, or a part of it. */
  | { readonly kind: 'missing' };

interface Envelope {
  readonly key: string;
  readonly notice: StateNotice;
}

/** The notices about one key. What is sent here is received by all other channels for the key, in this tab and in the others. */
export class NoticeChannel {
  readonly #key: string;
  readonly #channel: BroadcastChannel;

  constructor(database: string, key: string, onNotice: (notice: StateNotice) => void = () => {}) {
    this.#key = key;
    this.#channel = new BroadcastChannel(`rostack-client:${database}`);
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Envelope>): void => {
      if (data.key === key) onNotice(data.notice);
    });
  }

  send(notice: StateNotice): void {
    this.#channel.postMessage({ key: this.#key, notice } satisfies Envelope);
  }

  close(): void {
    this.#channel.close();
  }
}
