import type { FollowChange, RostackClient } from 'rostack-client';
import type { JsonObject } from 'rostack-core';
import type { RecordIdPlace } from './record-id-option.ts';
import { type RecordPlace, recordUri } from './record-uri.ts';

/** Several changes of one URI within this time are reported once. */
const GATHER_MS = 200;

/** Follows resources while anybody needs them, and reports which URIs have changed. */
export class RecordWatch {
  readonly #client: RostackClient;
  readonly #onError: (error: unknown) => void;
  readonly #recordId: RecordIdPlace;
  readonly #listeners = new Set<(uri: string) => void>();
  readonly #followed = new Map<string, { count: number; readonly stop: () => void }>();
  readonly #changed = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    client: RostackClient,
    onError: (error: unknown) => void,
    recordId: RecordIdPlace = () => undefined,
  ) {
    this.#client = client;
    this.#onError = onError;
    this.#recordId = recordId;
  }

  /** Calls back with each URI that has changed, until the returned function is called. */
  listen(onChanged: (uri: string) => void): () => void {
    this.#listeners.add(onChanged);
    return () => void this.#listeners.delete(onChanged);
  }

  /** Follows a resource until the returned function is called. Several calls for one resource share a follow. */
  follow(resource: string): () => void {
    const known = this.#followed.get(resource);
    const entry = known ?? { count: 0, stop: this.#start(resource) };
    this.#followed.set(resource, entry);
    entry.count += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      entry.count -= 1;
      if (entry.count > 0) return;
      entry.stop();
      this.#followed.delete(resource);
    };
  }

  close(): void {
    for (const { stop } of this.#followed.values()) stop();
    this.#followed.clear();
    this.#listeners.clear();
    clearTimeout(this.#timer);
  }

  #start(resource: string): () => void {
    const recordId = this.#recordId(resource);
    const follow = this.#client.follow(resource, recordId === undefined ? {} : { recordId });
    follow.run((change) => this.#note(resource, change)).catch(this.#onError);
    return () => void follow.close();
  }

  #note(resource: string, change: FollowChange<JsonObject>): void {
    const ids = changedIds(change);
    if (ids.length === 0) return;
    const { id: implementation } = this.#client.discovery.implementation;
    const places: RecordPlace[] = [{ resource, id: undefined }, ...ids.map((id) => ({ resource, id }))];
    for (const place of places) this.#changed.add(recordUri(implementation, place));
    this.#timer ??= setTimeout(() => this.#tell(), GATHER_MS);
  }

  #tell(): void {
    this.#timer = undefined;
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const uri of changed) for (const listener of this.#listeners) listener(uri);
  }
}

/** None for the first snapshot, since a reader sees it anyway. */
function changedIds(change: FollowChange<JsonObject>): readonly string[] {
  if (change.kind === 'live') return [];
  if (change.kind !== 'snapshot') return [change.id];
  return change.reason === 'replaced'
    ? [...change.added, ...change.changed, ...change.removed].map(({ id }) => id)
    : [];
}
