import { type JsonObject, type JsonValue, parsePointer, type Resource, resolvePointer } from 'rostack-core';
import type { Driver } from '../../../check/driver.ts';
import { readChain } from '../../reads/sample/chain.ts';
import { findIdMember, idMemberOf, idOf, withId } from '../../reads/sample/id-member.ts';
import { Blocked, type GatewayTrial } from './gateway-trial.ts';

/** Two values of a field that distinguish two sorts of records, by `eq`. */
export interface TwoSorts {
  readonly pointer: string;
  readonly values: readonly [JsonValue, JsonValue];
}

/** Records to write, made from samples of the resource; they are deleted at the end. */
export class TrialRecords implements AsyncDisposable {
  readonly resource: Resource;
  /** A filterable field with different values in the two sorts; undefined if there is none. */
  readonly sorts: TwoSorts | undefined;
  readonly #driver: Driver;
  readonly #samples: readonly [JsonObject, JsonObject];
  readonly #written = new Set<string>();
  #next: number;

  private constructor(
    driver: Driver,
    resource: Resource,
    samples: readonly [JsonObject, JsonObject],
    sorts: TwoSorts | undefined,
    startMs: number,
  ) {
    this.#driver = driver;
    this.resource = resource;
    this.#samples = samples;
    this.sorts = sorts;
    this.#next = startMs * 1_000;
  }

  /** Uses the samples of the driver, or records of the target. @throws Blocked if no two of them differ */
  static async of(trial: GatewayTrial, resource = trial.resource): Promise<TrialRecords> {
    const { context } = trial;
    const driver = trial.driver('put', 'delete');
    const given = driver.samples[resource.name];
    const listed = await readChain(context, resource, {}, { maxPages: 1 });
    await findIdMember(context, resource, listed.items);
    const samples = given ?? listed.items;
    const found = twoOf(resource, samples);
    if (found === undefined) {
      throw new Blocked(undefined, `${resource.name} has two records that differ.`, 'It has not.');
    }
    return new TrialRecords(driver, resource, found.pair, found.sorts, context.clock.nowMs());
  }

  /** A new id, as a text. */
  id(): string {
    this.#next += 1;
    return typeof this.#samples[0][idMemberOf(this.resource)] === 'number'
      ? String(this.#next)
      : `kit-${this.#next.toString(36)}`;
  }

  /** A record of one of the two sorts. */
  record(id: string, sort: 0 | 1): JsonObject {
    return withId(this.#samples[sort], this.resource, id);
  }

  async put(id: string, sort: 0 | 1): Promise<JsonObject> {
    const record = this.record(id, sort);
    this.#written.add(id);
    await this.#driver.put(this.resource.name, record);
    return record;
  }

  async delete(id: string): Promise<void> {
    await this.#driver.delete(this.resource.name, id);
    this.#written.delete(id);
  }

  /** Writes new records, each then changed once: twice as many changes as ids. */
  async burst(count: number): Promise<readonly string[]> {
    const ids = Array.from({ length: count }, () => this.id());
    for (const id of ids) this.#written.add(id);
    const puts = ([0, 1] as const).flatMap((sort) =>
      ids.map((id) => ({ op: 'put' as const, record: this.record(id, sort) })),
    );
    if (this.#driver.operations.has('burst')) await this.#driver.burst(this.resource.name, puts);
    else for (const { record } of puts) await this.#driver.put(this.resource.name, record);
    return ids;
  }

  /** Deletes the records that are left. */
  async [Symbol.asyncDispose](): Promise<void> {
    const changes = [...this.#written].map((id) => ({ op: 'delete' as const, id }));
    this.#written.clear();
    if (changes.length === 0) return;
    if (this.#driver.operations.has('burst')) await this.#driver.burst(this.resource.name, changes);
    else for (const { id } of changes) await this.#driver.delete(this.resource.name, id);
  }
}

/** Two samples that differ in a filterable field, or at least somewhere. */
function twoOf(resource: Resource, samples: readonly JsonObject[]) {
  const usable = samples.filter((sample) => idOf(sample, resource) !== undefined);
  for (const [pointer, operators] of Object.entries(resource.filtering.filterable_fields)) {
    if (!operators.includes('eq') || pointer === `/${idMemberOf(resource)}`) continue;
    const valued = usable.flatMap((sample) => {
      const value = resolvePointer(sample, parsePointer(pointer));
      return value !== undefined && isScalar(value) ? [{ sample, value }] : [];
    });
    const [first] = valued;
    const second = valued.find(({ value }) => value !== first?.value && typeof value === typeof first?.value);
    if (first === undefined || second === undefined) continue;
    const pair = [first.sample, second.sample] as const;
    return { pair, sorts: { pointer, values: [first.value, second.value] as const } };
  }
  const [first] = usable;
  const other = usable.find((sample) => textOf(sample, resource) !== (first && textOf(first, resource)));
  return first && other && { pair: [first, other] as const, sorts: undefined };
}

const isScalar = (value: unknown): value is JsonValue => value === null || typeof value !== 'object';

function textOf(sample: JsonObject, resource: Resource): string {
  return JSON.stringify({ ...sample, [idMemberOf(resource)]: null });
}
