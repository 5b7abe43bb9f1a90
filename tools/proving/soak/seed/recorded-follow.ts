import type { FollowChange, StateStore } from 'rostack-client';
import type { JsonObject, Position } from 'rostack-core';
import type { Random } from 'test-support/random';
import { placeOf } from '../../follows/history.ts';
import { RESOURCES } from '../../follows/post.ts';
import { randomFilter } from '../data/random-filter.ts';
import type { Observation, ObservedFollow } from '../verdict/judge-follow.ts';

/** One follow over its whole life, through restarts of its client: what it was given, and where its state is kept. */
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
        this.observations.push({ kind, position: placeOf(cursor).position, records });
        return;
      }
      default: {
        const { id, event } = change;
        const { cursor, eventId, eventType, resourceVersion: version } = event;
        const record = 'record' in change ? change.record : undefined;
        const position = placeOf(cursor).position;
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

/** What one follow asks for. */
export interface FollowSpec {
  readonly name: string;
  readonly resource: string;
  readonly filter: JsonObject | undefined;
}

/** Follows with random filters; a few have none, and a few share theirs. */
export function drawFollows(random: Random, count: number): readonly FollowSpec[] {
  const specs: FollowSpec[] = [];
  for (let number = 1; number <= count; number += 1) {
    const shared = specs.length > 0 && random.chance(0.1) ? random.pick(specs).filter : undefined;
    specs.push({
      name: `follow ${number}`,
      resource: random.chance(0.7) ? RESOURCES[0] : RESOURCES[1],
      filter: random.chance(0.08) ? undefined : (shared ?? randomFilter(random)),
    });
  }
  return specs;
}
