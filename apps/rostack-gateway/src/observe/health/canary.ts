import { once } from 'node:events';
import { parseServerMessage, type ServerMessage } from 'rostack-core';
import type { Store } from 'rostack-store';
import { WebSocket } from 'ws';

/** Why a beat of the canary was not seen: no subscription, a write that failed, or no event before the next beat. */
export type CanaryMiss = 'connection' | 'write' | 'late';

export interface CanaryOptions {
  readonly store: Pick<Store, 'apply'>;
  readonly resource: string;
  /** Id of the record. */
  readonly id: string;
  readonly intervalMs: number;
  /** URL at which clients reach the WebSocket gateway. */
  readonly url: string;
  /** A shared token that may follow the resource. */
  readonly token: string;
  /** Certificates to trust besides those of the system, as PEM. */
  readonly ca: string | undefined;
  /** Called with the time from before the write until the event arrived. */
  readonly onSeen: (durationMs: number) => void;
  readonly onMissed: (reason: CanaryMiss) => void;
}

/** Most events to keep that arrive before their write returns; any more come from other writers. */
const MAX_EARLY = 16;

/**
 * Writes a record again and again and follows it as any client does, through everything between clients and gateway: the time of a beat is
 * the time that users wait. A beat that is not seen before the next one is due counts as missed.
 */
export class Canary implements AsyncDisposable {
  readonly #options: CanaryOptions;
  readonly #closed = new AbortController();
  readonly #running: Promise<void>;
  /** Versions that arrived, with their times. */
  readonly #seen = new Map<string, number>();
  #awaited: { readonly version: string; readonly resolve: (atMs: number) => void } | undefined;
  #socket: WebSocket | undefined;

  constructor(options: CanaryOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    this.#socket?.terminate();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closed;
    const { intervalMs, onSeen, onMissed } = this.#options;
    while (!signal.aborted) {
      const bound = AbortSignal.any([signal, AbortSignal.timeout(intervalMs)]);
      const beat = await this.#beat(bound);
      if (signal.aborted) return;
      if (typeof beat === 'number') onSeen(beat);
      else onMissed(beat);
      if (!bound.aborted) await once(bound, 'abort');
    }
  }

  /** Returns the time that the beat took, in ms, or why it was missed. */
  async #beat(bound: AbortSignal): Promise<number | CanaryMiss> {
    if (this.#socket?.readyState !== WebSocket.OPEN && !(await this.#follow(bound))) return 'connection';
    const { store, resource, id } = this.#options;
    const startedMs = performance.now();
    let version: string | undefined;
    try {
      const record = { id, written_at: new Date().toISOString() };
      [{ version } = { version: undefined }] = await store.apply([{ resource, op: 'put', record }]);
    } catch {
      return 'write';
    }
    const atMs = version === undefined ? undefined : await this.#arrival(version, bound);
    this.#seen.clear();
    return atMs === undefined ? 'late' : atMs - startedMs;
  }

  /** When the event of a version arrived; undefined if it did not in time. */
  async #arrival(version: string, bound: AbortSignal): Promise<number | undefined> {
    const early = this.#seen.get(version);
    if (early !== undefined) return early;
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    this.#awaited = { version, resolve };
    const giveUp = () => resolve(undefined);
    bound.addEventListener('abort', giveUp, { once: true });
    if (bound.aborted) giveUp();
    return promise.finally(() => {
      bound.removeEventListener('abort', giveUp);
      this.#awaited = undefined;
    });
  }

  /** Connects and subscribes. @returns whether that worked */
  async #follow(bound: AbortSignal): Promise<boolean> {
    this.#socket?.terminate();
    const { url, ca, token, resource } = this.#options;
    const socket = new WebSocket(url, 'rostack.v1', { ...(ca !== undefined && { ca }) });
    this.#socket = socket;
    // Errors show up as a subscription that fails or ends.
    socket.on('error', () => {});
    try {
      await once(socket, 'open', { signal: bound });
      socket.send(JSON.stringify({ type: 'authenticate', method: 'shared_token', token }));
      if (!(await answers(socket, 'authenticated', bound))) return false;
      socket.send(JSON.stringify({ type: 'subscribe', subscription_id: 'canary', resource }));
      if (!(await answers(socket, 'subscribed', bound))) return false;
    } catch {
      socket.terminate();
      return false;
    }
    socket.on('message', (data: Buffer) => this.#take(messageOf(data)));
    return true;
  }

  #take(message: ServerMessage | undefined): void {
    if (message?.type === 'ping') this.#socket?.send(JSON.stringify({ type: 'pong', id: message.id }));
    // These end the subscription, so the next beat begins with a new connection.
    if (message?.type === 'error' || message?.type === 'go_away') this.#socket?.close();
    if (message?.type !== 'event' || message.resource_id !== this.#options.id) return;
    const { resource_version: version } = message;
    if (this.#awaited?.version === version) this.#awaited.resolve(performance.now());
    else if (this.#seen.size < MAX_EARLY) this.#seen.set(version, performance.now());
  }
}

/** Whether the next message is of this type. */
async function answers(
  socket: WebSocket,
  type: ServerMessage['type'],
  signal: AbortSignal,
): Promise<boolean> {
  const [data] = (await once(socket, 'message', { signal })) as [Buffer];
  return messageOf(data)?.type === type;
}

/** Undefined if it is not a single valid message. */
function messageOf(data: Buffer): ServerMessage | undefined {
  try {
    const message = parseServerMessage(data.toString());
    return Array.isArray(message) ? undefined : message;
  } catch {
    return undefined;
  }
}
