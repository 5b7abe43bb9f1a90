import { compileFilter } from '../../query/filter/compile-filter.ts';
import { compareRecords, type IdentifiedRecord } from '../../query/sort/sort.ts';
import type { Change, Position } from '../../record/change.ts';
import { type PageQuery, parseBodies, type RecordSource } from '../../record/record-source.ts';
import {
  type JsonObject,
  jsonEquals,
  parseTrustedJson,
  type RecordId,
  recordIdText,
} from '../../text/json.ts';
import { want } from '../check/conformance-check.ts';
import type { SeededRandom } from '../check/seeded-random.ts';
import type { RecordSourceTarget } from './record-source-target.ts';
import { MIXED_RECORDS, type SampleRecords } from './sample-records.ts';

/** Records by the text of their id. */
export type State = Readonly<Record<string, JsonObject>>;

/** What `trial.change` did. */
export interface AppliedChange {
  readonly id: string;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

/** A fresh source under trial, with what it is expected to hold. */
export class SourceTrial {
  readonly source: RecordSource;
  readonly sample: SampleRecords;
  readonly random: SeededRandom;
  readonly hintTimeoutMs: number;
  /** One for each change, in order. */
  readonly applied: AppliedChange[] = [];
  readonly #states: State[] = [{}];
  readonly #operations: Operations;

  constructor(operations: Operations, random: SeededRandom, hintTimeoutMs: number) {
    this.#operations = operations;
    this.source = operations.source;
    this.sample = operations.sample;
    this.random = random;
    this.hintTimeoutMs = hintTimeoutMs;
  }

  /** The position of the newest change: each change takes the next one, from 1 on. */
  get position(): Position {
    return this.applied.length;
  }

  /** The records now, or at a position. */
  state(at: Position = this.position): State {
    return this.#states[at] ?? {};
  }

  /** The record of an id, or undefined. */
  present(id: RecordId): JsonObject | undefined {
    const state = this.state();
    return Object.hasOwn(state, String(id)) ? state[String(id)] : undefined;
  }

  /** Writes a record of the sample that differs from the present one. @returns the object that the source was given */
  async put(id: RecordId): Promise<JsonObject> {
    const text = String(id);
    const before = this.present(text);
    const record = this.#another(id, before);
    // A copy, so that the source cannot change what is expected of it.
    const after = parseTrustedJson(JSON.stringify(record)) as JsonObject;
    await this.#operations.put(record, text);
    this.#note({ id: text, before, after });
    return record;
  }

  async delete(id: RecordId): Promise<void> {
    const text = String(id);
    const before = this.present(text);
    await this.#operations.delete(id);
    this.#note({ id: text, before, after: undefined });
  }

  /** Writes every record of the sample. */
  async fill(): Promise<void> {
    for (const id of this.sample.ids) await this.put(id);
  }

  /** Changes records at random: about three puts for each delete. */
  async change(times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      const id = this.random.pick(this.sample.ids);
      if (this.present(id) !== undefined && this.random.oneIn(4)) await this.delete(id);
      else await this.put(id);
    }
  }

  async prune(): Promise<void> {
    await this.#operations.prune();
  }

  async cutOff(): Promise<void> {
    await this.#operations.cutOff();
  }

  /** The rows that a query has to give, in order and without a limit. */
  rows({ at, filter, sort = [] }: Partial<PageQuery>): IdentifiedRecord[] {
    const matches = filter === undefined ? () => true : compileFilter(filter);
    return Object.entries(this.state(at))
      .map(([id, value]) => ({ id, value }))
      .filter(({ value }) => matches(value))
      .sort(compareRecords(sort));
  }

  /** All changes after a position, read some at a time. */
  async readToHead(after: Position, limit: number): Promise<Change[]> {
    const changes: Change[] = [];
    for (;;) {
      const read = await this.source.read(changes.at(-1)?.position ?? after, limit);
      if (read.length === 0) return changes;
      changes.push(...read);
      want(changes.length < 10_000, 'read comes to an end: it is empty at the head.', changes.length);
    }
  }

  /** The records of all pages of a query. `between` runs after each page except the last. */
  async readPages(
    query: Omit<PageQuery, 'after'>,
    between: () => Promise<void> = async () => {},
  ): Promise<IdentifiedRecord[]> {
    const rows: IdentifiedRecord[] = [];
    let after: PageQuery['after'];
    do {
      const page = await this.source.page({ ...query, after });
      rows.push(...identified(page.bodies));
      want(rows.length < 10_000, 'A chain of pages comes to an end: `next` is undefined there.', rows.length);
      after = page.next;
      if (after !== undefined) await between();
    } while (after !== undefined);
    return rows;
  }

  #another(id: RecordId, present: JsonObject | undefined): JsonObject {
    for (let tries = 0; tries < 100; tries += 1) {
      const record = this.sample.record(id, this.random);
      if (present === undefined || !jsonEquals(record, present)) return record;
    }
    throw new RangeError(
      `sample.record gives the same record for the id ${id} all the time: let it use \`random\`.`,
    );
  }

  #note(applied: AppliedChange): void {
    const { [applied.id]: _, ...others } = this.state();
    this.applied.push(applied);
    this.#states.push(applied.after === undefined ? others : { ...others, [applied.id]: applied.after });
  }
}

/** A target whose source is open. */
interface Operations {
  readonly source: RecordSource;
  readonly sample: SampleRecords;
  readonly put: (record: JsonObject, id: string) => unknown;
  readonly delete: (id: RecordId) => unknown;
  readonly prune: () => unknown;
  readonly cutOff: () => unknown;
}

/** Opens a target for one trial, and closes it. */
export async function withTrial<T>(
  target: RecordSourceTarget<T>,
  { random, hintTimeoutMs }: { readonly random: SeededRandom; readonly hintTimeoutMs: number },
  attempt: (trial: SourceTrial) => Promise<void>,
): Promise<void> {
  const opened = await target.open();
  try {
    const operations: Operations = {
      source: target.source(opened),
      sample: target.sample ?? MIXED_RECORDS,
      put: (record, id) => target.put(opened, record, id),
      delete: (id) => target.delete(opened, id),
      prune: () => target.prune?.(opened),
      cutOff: () => target.cutOff?.(opened),
    };
    await attempt(new SourceTrial(operations, random, hintTimeoutMs));
  } finally {
    await target.close?.(opened);
  }
}

/** The records of a page with the texts of their ids. */
export function identified(bodies: Uint8Array): IdentifiedRecord[] {
  return parseBodies(bodies).map((value) => ({ id: recordIdText(value['id']) ?? '', value }));
}

/** The same without their order. */
export function stateIn(bodies: Uint8Array): State {
  return Object.fromEntries(identified(bodies).map(({ id, value }) => [id, value as JsonObject]));
}
