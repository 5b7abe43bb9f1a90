import type { FollowChange, StateStore } from 'rostack-client';
import type { JsonObject, Position } from 'rostack-core';
import type { Observation, ObservedFollow } from '../verdict/observed-follow.ts';
import type { FollowSpec } from './follow-spec.ts';

/** One follow over its whole life, whatever client holds it: what it was given, and where its state is kept. */
export class RecordedFollow {
  readonly spec: FollowSpec;
  readonly store: StateStore;
  /** Changes are processed as slowly as this. */
  readonly pauseMs: number;
  readonly observations: Observation[] = [];
  readonly #live = Promise.withResolvers<void>();

  constructor(spec: FollowSpec, store: StateStore, pauseMs: number) {
    this.spec = spec;
    this.store = store;
    this.pauseMs = pauseMs;
  }

  /** Resolves when it is live for the first time. */
  get isLive(): Promise<void> {
    return this.#live.promise;
  }

  /** The newest position that it was given. */
  get position(): Position {
    return this.observations.at(-1)?.position ?? -1;
  }

  record(change: FollowChange<JsonObject>): void {
    switch (change.kind) {
      case 'live':
        this.#live.resolve();
        return;
      case 'snapshot': {
        const { reason, records, cursor } = change;
        const kind = reason === 'restored' ? 'restored' : 'taken';
        this.observations.push({ kind, position: positionOf(cursor), records });
        return;
      }
      default: {
        const { id, event } = change;
        const { cursor, eventId, eventType, resourceVersion: version } = event;
        const record = 'record' in change ? change.record : undefined;
        const position = positionOf(cursor);
        this.observations.push({ kind: 'event', position, eventId, eventType, id, version, record });
      }
    }
  }

  /** All of it, for the judge. */
  async observed(): Promise<ObservedFollow> {
    const state = await this.store.load(this.spec.name);
    const records = Array.from(state?.records ?? [], ({ id, record }) => [id, record] as const);
    return { ...this.spec, observations: this.observations, state: new Map(records) };
  }
}

/** `1.<scope>.<epoch>.<position>.<tag>` */
function positionOf(cursor: string): Position {
  const position = Number(cursor.split('.')[3]);
  if (!Number.isSafeInteger(position)) throw new Error(`there is no position in the cursor ${cursor}`);
  return position;
}
