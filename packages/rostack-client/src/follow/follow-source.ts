import {
  compileFilter,
  hashFilter,
  JSON_MEDIA_TYPE,
  type JsonObject,
  parseFilter,
  type Resource,
} from 'rostack-core';
import { ResponseError } from '../error/errors.ts';
import { wait } from '../platform/clock.ts';
import type { Platform } from '../platform/platform.ts';
import { findResource } from '../resource/find-resource.ts';
import { getItem } from '../resource/get-item.ts';
import type { JsonApi } from '../resource/json-api.ts';
import { readPages } from '../resource/read-pages.ts';
import { retry, retryDelayAfter, retryRules } from '../retry/retry.ts';
import type { StateScope, StoredRecord } from '../store/state-store.ts';
import type { ResourceEvent } from '../subscription/resource-event.ts';
import { defineSubscription } from '../subscription/subscribe-options.ts';
import type { Subscription } from '../subscription/subscription.ts';

/** Where a follow goes on: after a cursor, and after an event where there was one. */
export interface FollowPlace {
  readonly cursor: string;
  readonly seen: string | undefined;
}

/** A whole consistent snapshot, and the event position that it was taken at. */
export interface Snapshot {
  readonly records: ReadonlyMap<string, StoredRecord>;
  readonly cursor: string;
}

export interface FollowSourceOptions {
  readonly api: JsonApi;
  readonly platform: Platform;
  readonly resource: string;
  readonly filter: JsonObject | undefined;
  readonly subscribe: (place: FollowPlace, signal: AbortSignal) => Subscription<JsonObject>;
  /** Told before each wait; must not throw. */
  readonly onWaiting: (error: unknown, retryInMs: number) => void;
  readonly maxRecords: number;
  readonly maxServerDelayMs: number;
}

/** What a follow takes from the server. Failures that may pass are waited out, for as long as they last. */
export class FollowSource {
  readonly #options: FollowSourceOptions;

  constructor(options: FollowSourceOptions) {
    this.#options = options;
  }

  /** What the records are records of now. @throws UsageError, FilterError, ClientError where the resource cannot be followed */
  async scope(signal: AbortSignal): Promise<StateScope> {
    const { api, resource, filter } = this.#options;
    const { document } = await api.discover(signal);
    defineSubscription(document, findResource(document, resource), filter === undefined ? {} : { filter });
    return {
      implementationId: document.implementation.id,
      apiVersion: document.implementation.api_version,
      resource,
      filter: filter === undefined ? undefined : hashFilter(parseFilter(filter)),
    };
  }

  /** @throws ClientError */
  snapshot(idOf: (record: JsonObject) => string, signal: AbortSignal): Promise<Snapshot> {
    return retry(
      () => this.#readChain(idOf, signal),
      (error, failures) => this.pause(error, failures, signal),
    );
  }

  /**
   * The record that an event of a create or an update is about: its data, or what a look-up finds now.
   * @returns undefined where the record has gone since, or left the filter: the event of that is still to come
   * @throws ClientError
   */
  async recordOf(event: ResourceEvent<JsonObject>, signal: AbortSignal): Promise<JsonObject | undefined> {
    const { api, resource, filter } = this.#options;
    if (event.data !== undefined && carriesRecord(event, findResource(api.newest, resource)))
      return event.data;
    const item = await retry(
      () => getItem<JsonObject>(api, resource, event.resourceId, { signal }),
      (error, failures) => this.pause(error, failures, signal),
    );
    if (item.kind !== 'found') return undefined;
    const matches = filter === undefined || compileFilter(parseFilter(filter))(item.record);
    return matches ? item.record : undefined;
  }

  subscribe(place: FollowPlace, signal: AbortSignal): Subscription<JsonObject> {
    return this.#options.subscribe(place, signal);
  }

  /** Waits after something that may pass, longer with each failure in a row. */
  async pause(error: unknown, failures: number, signal: AbortSignal): Promise<void> {
    const { api, maxServerDelayMs, platform, onWaiting } = this.#options;
    const rules = retryRules(api.newest, maxServerDelayMs);
    const retryInMs = retryDelayAfter(rules, error, failures, platform.random());
    onWaiting(error, retryInMs);
    await wait(platform.clock, retryInMs, signal);
  }

  /** Milliseconds that only go forward. */
  nowMs(): number {
    return this.#options.platform.clock.monotonicMs();
  }

  /** How long a follow has to be live before a failure counts as the first one again, in milliseconds. */
  get healthyAfterMs(): number {
    return this.#options.api.newest.capabilities.websocket.heartbeat_interval_ms;
  }

  async #readChain(idOf: (record: JsonObject) => string, signal: AbortSignal): Promise<Snapshot> {
    const { api, resource, filter, maxRecords } = this.#options;
    const records = new Map<string, StoredRecord>();
    let cursor: string | undefined;
    const selection = filter === undefined ? {} : { filter };
    for await (const page of readPages<JsonObject>(api, resource, { ...selection, signal })) {
      cursor = page.eventCursor;
      for (const record of page.records) {
        const id = idOf(record);
        if (records.has(id)) throw new ResponseError(`a snapshot holds the record ${id} twice`);
        if (records.size >= maxRecords) {
          throw new ResponseError(`a snapshot holds more than ${maxRecords} records`);
        }
        records.set(id, { id, record, version: undefined });
      }
    }
    if (cursor === undefined) throw new ResponseError('the resource has no event_cursor');
    return { records, cursor };
  }
}

/** Event data is the record where the event has the schema of the record. */
function carriesRecord(
  { data, eventType }: ResourceEvent<unknown>,
  { events, representations }: Resource,
): boolean {
  if (typeof data !== 'object' || data === null) return false;
  const ofRecord = representations.find(({ media_type: type }) => type === JSON_MEDIA_TYPE)?.schema_url;
  return events.find(({ name }) => name === eventType)?.schema_url === ofRecord;
}
