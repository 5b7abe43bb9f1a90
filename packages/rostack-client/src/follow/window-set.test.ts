import fc from 'fast-check';
import type { SortKey } from 'rostack-core';
import { expect, test } from 'vitest';
import type { StoredRecord } from '../state/state-store.ts';
import type { SetStep } from './record-set.ts';
import type { ResourceEvent } from './subscription/resource-event.ts';
import { WindowSet } from './window-set.ts';

interface Peak {
  readonly id: string;
  readonly height: number;
  [member: string]: string | number;
}

const ORDER: readonly SortKey[] = [{ pointer: '/height', path: ['height'], descending: true }];
const OPTIONS = { schema: undefined, resource: 'peaks', isFiltered: true };

const byOrder = (a: Peak, b: Peak): number => b.height - a.height || (a.id < b.id ? -1 : 1);

/** A window on some peaks, the state store that is kept with it, and all the peaks that there are. */
class Trial {
  readonly #most: number;
  readonly #set: WindowSet<Peak>;
  readonly #truth = new Map<string, Peak>();
  readonly #stored = new Map<string, StoredRecord>();
  #position = 0;

  constructor(limit: number, margin: number, peaks: readonly Peak[]) {
    this.#most = limit + margin;
    for (const peak of peaks) this.#truth.set(peak.id, peak);
    const view = { sort: ['-/height'], limit, margin, fields: undefined, addsId: false };
    this.#set = new WindowSet<Peak>(OPTIONS, view);
    this.#takeSnapshot('initial');
  }

  put(peak: Peak): void {
    const transition = this.#truth.has(peak.id) ? 'update' : 'create';
    this.#truth.set(peak.id, peak);
    this.#keep(this.#set.put(this.#event(peak.id, transition), peak));
  }

  remove(id: string): void {
    if (!this.#truth.delete(id)) return;
    this.#keep(this.#set.remove(this.#event(id, 'delete')));
  }

  get shown(): readonly Peak[] {
    return [...this.#set.records.values()];
  }

  /** In order. */
  get stored(): readonly Peak[] {
    return Array.from(this.#stored.values(), ({ record }) => record as Peak).sort(byOrder);
  }

  /** The first of all peaks. */
  first(count: number): readonly Peak[] {
    return this.#inOrder().slice(0, count);
  }

  #inOrder(): Peak[] {
    return [...this.#truth.values()].sort(byOrder);
  }

  #keep(step: SetStep<Peak> | undefined): void {
    if (step === undefined) {
      this.#takeSnapshot('shifted');
      return;
    }
    if (step.put !== undefined) this.#stored.set(step.put.id, step.put);
    for (const id of step.remove) this.#stored.delete(id);
  }

  #takeSnapshot(reason: 'initial' | 'shifted'): void {
    const all = this.#inOrder();
    const records = new Map(all.slice(0, this.#most).map((peak) => [peak.id, peak]));
    const cursor = `c${this.#position}`;
    this.#set.replace(reason, {
      records,
      cursor,
      eventId: undefined,
      order: ORDER,
      isWhole: all.length <= this.#most,
    });
    this.#stored.clear();
    for (const [id, record] of records) this.#stored.set(id, { id, record, version: undefined });
  }

  #event(resourceId: string, transition: 'create' | 'update' | 'delete'): ResourceEvent<unknown> {
    this.#position += 1;
    return {
      kind: 'event',
      eventId: `e${this.#position}`,
      cursor: `c${this.#position}`,
      occurredAt: '2026-08-14T00:00:00Z',
      eventType: `peak.${transition}`,
      transition,
      resourceId,
      resourceVersion: `v${this.#position}`,
      detailUrl: undefined,
      data: undefined,
    };
  }
}

const id = fc.integer({ min: 0, max: 11 }).map((number) => `p${String(number).padStart(2, '0')}`);
const peak: fc.Arbitrary<Peak> = fc.record({ id, height: fc.integer({ min: 0, max: 5 }) });
const step = fc.oneof(
  { weight: 3, arbitrary: peak.map((one) => (trial: Trial) => trial.put(one)) },
  { weight: 2, arbitrary: id.map((one) => (trial: Trial) => trial.remove(one)) },
);

test('the first records are shown after each change, and the state store holds them and a margin, nothing else', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.nat(3),
      fc.uniqueArray(peak, { selector: (one) => one.id, maxLength: 9 }),
      fc.array(step, { maxLength: 25 }),
      (limit, margin, peaks, steps) => {
        const trial = new Trial(limit, margin, peaks);
        for (const take of [() => {}, ...steps]) {
          take(trial);
          const { shown, stored } = trial;
          expect(shown).toEqual(trial.first(limit));
          expect(stored).toEqual(trial.first(stored.length));
          expect(stored.length).toBeGreaterThanOrEqual(shown.length);
          expect(stored.length).toBeLessThanOrEqual(limit + margin);
        }
      },
    ),
    { numRuns: 500 },
  );
});
