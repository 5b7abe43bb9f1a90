import { type FollowState, MemoryStateStore, type StateStore, type StateUpdate } from 'rostack-client';
import type { JsonObject } from 'rostack-core';
import type { Random } from 'test-support/random';
import { predicateOf } from '../../follows/history.ts';
import { FollowOracle } from '../oracle/follow-oracle.ts';
import type { ModelResource } from '../store/model-store.ts';
import type { SimProcess } from '../time/sim-process.ts';

/** One follow over its whole life, through restarts of its client: its filter, its stored state, and the oracle that checks it. */
export class Followed {
  readonly name: string;
  readonly resource: ModelResource;
  readonly filter: JsonObject | undefined;
  readonly oracle: FollowOracle;
  readonly #states = new MemoryStateStore();

  constructor(
    name: string,
    resource: ModelResource,
    filter: JsonObject | undefined,
    onWrong: (what: string) => void,
  ) {
    this.name = name;
    this.resource = resource;
    this.filter = filter;
    this.oracle = new FollowOracle(resource, predicateOf(filter), onWrong);
  }

  /** The state store as one process sees it: late at times, and no more when the process is gone. */
  storeFor(process: SimProcess, random: Random): StateStore {
    const states = this.#states;
    const late = async (): Promise<void> => {
      if (random.chance(0.1)) await process.wait(random.int(0, 3));
      if (process.isKilled) await new Promise(() => {});
    };
    const around = async <T>(effect: () => Promise<T>): Promise<T> => {
      await late();
      const value = await effect();
      await late();
      return value;
    };
    return {
      load: (key) => around(() => states.load(key)),
      replace: (key: string, state: FollowState) => around(() => states.replace(key, state)),
      update: (key: string, update: StateUpdate) =>
        around(async () => {
          await states.update(key, update);
          if (update.eventId === undefined) this.oracle.takeBookmark(update.cursor);
        }),
      remove: (key) => around(() => states.remove(key)),
    };
  }
}
