import {
  compileFilter,
  type Head,
  joinBodies,
  type Page,
  type PageQuery,
  PositionExpiredError,
  type RecordSource,
  SourceUnavailableError,
  type StoredRecord,
} from 'rostack-core';
import type { Random } from 'test-support/random';
import { stateAt } from '../../follows/history.ts';
import type { SimProcess } from '../time/sim-process.ts';
import type { Branch, ModelResource } from './model-store.ts';

/** How badly the database serves one node; changed while faults last. */
export interface StoreWeather {
  /** Longest time of a call, in ms. */
  maxLatencyMs: number;
  /** Probability that a call fails: before or after it took effect. */
  failure: number;
  /** Probability that a hint is lost, and that it comes twice. */
  lostHints: number;
  doubledHints: number;
  /** How many changes the node's replica lacks. */
  lagChanges: number;
}

export const FAIR_WEATHER: StoreWeather = {
  maxLatencyMs: 3,
  failure: 0,
  lostHints: 0,
  doubledHints: 0,
  lagChanges: 0,
};

/** What one node sees of the database, seen at one moment. */
interface View {
  readonly branch: Branch;
  readonly position: number;
  readonly floor: number;
}

export interface NodeSourceOptions {
  readonly resource: ModelResource;
  readonly process: SimProcess;
  readonly random: Random;
  readonly weather: StoreWeather;
  /** What ends the calls that wait, each. */
  readonly calls: Set<() => void>;
}

/** A resource of the model as one node reads it: late, and with faults. */
export function createNodeSource({
  resource,
  process,
  random,
  weather,
  calls,
}: NodeSourceOptions): RecordSource {
  const view = (): View => {
    const { branch, floor } = resource;
    return { branch, floor, position: Math.max(floor, branch.rows.length - weather.lagChanges) };
  };
  const tagOf = ({ branch, position: newest }: View, position: number): string | undefined =>
    position === 0 ? '' : position > newest ? undefined : branch.rows[position - 1]?.change.tag;

  function call<T>(effect: () => T): Promise<T> {
    const fails = random.chance(weather.failure);
    const isEarly = random.chance(0.5);
    const early = isEarly && !fails ? attempt(effect) : undefined;
    return new Promise((resolve, reject) => {
      const end = (): void => reject(new SourceUnavailableError('the simulated world has ended'));
      calls.add(end);
      process.after(random.int(0, weather.maxLatencyMs), () => {
        calls.delete(end);
        if (fails) {
          reject(new SourceUnavailableError('the simulated database failed'));
          return;
        }
        const outcome = early ?? attempt(effect);
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.value);
      });
    });
  }

  function check(seen: View, position: number, tag: string | undefined): void {
    if (position < seen.floor) throw new PositionExpiredError('below the floor');
    if (tag !== undefined && tagOf(seen, position) !== tag) throw new PositionExpiredError('another history');
  }

  const headOf = (seen: View): Head => ({
    position: seen.position,
    floor: seen.floor,
    epoch: seen.branch.epoch,
    tag: tagOf(seen, seen.position) ?? '',
  });

  return {
    head: () => call(() => headOf(view())),
    page: (query) => call(() => readPage(query)),
    get: (id, visible) =>
      call(() => {
        const { branch, position } = view();
        const matches = visible === undefined ? () => true : compileFilter(visible);
        const isVisible = (text: string | undefined) => text !== undefined && matches(JSON.parse(text));
        const row = stateAt(branch.rows, position, () => true).get(id);
        if (row !== undefined) {
          return isVisible(row.change.after) ? toStored(row.change.id, row.change) : undefined;
        }
        const last = branch.rows.findLast(({ change }) => change.id === id);
        return isVisible(last?.change.before) ? 'gone' : undefined;
      }),
    tagAt: (position) =>
      call(() => {
        const seen = view();
        return position < seen.floor ? undefined : tagOf(seen, position);
      }),
    read: (after, limit, tag) =>
      call(() => {
        const seen = view();
        check(seen, after, tag);
        return seen.branch.rows
          .slice(after, Math.min(after + limit, Math.max(after, seen.position)))
          .map(({ change }) => change);
      }),
    watch: (onMoved) =>
      resource.watch(() => {
        if (random.chance(weather.lostHints)) return;
        const times = random.chance(weather.doubledHints) ? 2 : 1;
        for (let time = 0; time < times; time += 1) {
          process.after(random.int(0, 2 * weather.maxLatencyMs), onMoved);
        }
      }),
  };

  function readPage({ at: place, tag, filter, after, limit }: PageQuery): Page {
    const seen = view();
    const at = place ?? seen.position;
    check(seen, at, tag);
    const state = stateAt(seen.branch.rows, at, filter === undefined ? () => true : compileFilter(filter));
    const rows = [...state.entries()]
      .filter(([id]) => after === undefined || id > after.id)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const shown = rows.slice(0, limit);
    const lastId = shown.at(-1)?.[0];
    return {
      head: headOf(seen),
      bodies: joinBodies(shown.map(([, { change }]) => change.after ?? '')),
      next: rows.length > limit && lastId !== undefined ? { values: [], id: lastId } : undefined,
    };
  }
}

function toStored(
  id: string,
  { version, position, after = '' }: { version: string; position: number; after: string | undefined },
): StoredRecord {
  return { id, version, position, body: after };
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

function attempt<T>(effect: () => T): Outcome<T> {
  try {
    return { value: effect() };
  } catch (error) {
    return { error };
  }
}
