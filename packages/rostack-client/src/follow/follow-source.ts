import type { Collations, JsonObject, Predicate, Resource, SortKey } from 'rostack-core';
import { JSON_MEDIA_TYPE } from 'rostack-core/client';
import { CredentialUse } from '../connection/credential/credentials.ts';
import { loadFilters, loadLaterParts } from '../connection/platform/platform.ts';
import { isRetryable, retry, retryDelayAfter, retryRules } from '../connection/retry/retry.ts';
import { findResource } from '../http/discovery-cache.ts';
import { AuthenticationError, HttpProblemError, ResponseError } from '../http/error/errors.ts';
import { isRefusal } from '../http/http-client.ts';
import { getItem } from '../list/get-item.ts';
import type { JsonApi } from '../list/json-api.ts';
import { defaultPageSize, readPages } from '../list/read-pages.ts';
import { type RecordIds, RecordTwiceError, UnknownIdError } from '../list/record-ids.ts';
import type { StateHandle } from '../state/state-handle.ts';
import type { StateKeeper } from '../state/state-keeper.ts';
import type { StateScope } from '../state/state-store.ts';
import { type FollowView, fieldsOf, viewText } from './follow-view.ts';
import type { ResumePoint, Snapshot, SnapshotReader } from './snapshot-reader.ts';
import type { ResourceEvent } from './subscription/resource-event.ts';
import { defineSubscription } from './subscription/subscribe-options.ts';
import type { Subscription } from './subscription/subscription.ts';

/** Which records a follow holds, and how it reads them. */
export interface FollowSourceOptions {
  readonly resource: string;
  readonly filter: JsonObject | undefined;
  readonly view: FollowView | undefined;
  readonly ids: RecordIds;
  /** Reads whole snapshots; undefined: one chain of pages. */
  readonly reader: SnapshotReader | undefined;
  readonly subscribe: (place: ResumePoint, signal: AbortSignal) => Subscription<JsonObject>;
  /** Called before each wait; must not throw. */
  readonly onWaiting: (error: unknown, retryInMs: number) => void;
}

/** What a snapshot is read for. */
export interface SnapshotRequest {
  /** A `StateHandle` if there is a reader. */
  readonly place: StateKeeper;
  /** How many records the set held before. */
  readonly heldRecords: number;
}

/** What a follow reads from the server. Temporary failures are waited out, no matter how long they last. */
export class FollowSource {
  readonly #api: JsonApi;
  readonly #options: FollowSourceOptions;
  #matches: Predicate | undefined;
  /** The server refuses `/id` among the fields, and where the id is cannot be known before there is a record. */
  #hasNoId = false;

  constructor(api: JsonApi, options: FollowSourceOptions) {
    this.#api = api;
    this.#options = options;
  }

  /** What the records are records of now. @throws UsageError, FilterError, SortError, ClientError if the resource cannot be followed */
  async scope(signal: AbortSignal): Promise<StateScope> {
    const { resource, filter, view } = this.#options;
    const { document } = await this.#api.discover(signal);
    const found = findResource(document, resource);
    const filters = filter === undefined ? undefined : await loadFilters();
    defineSubscription(document, found, filter === undefined ? {} : { filter }, filters);
    await this.#sortKeys(found);
    const hash = filter === undefined ? undefined : filters?.filterHash(filter);
    return {
      implementationId: document.implementation.id,
      apiVersion: document.implementation.api_version,
      resource,
      filter: view === undefined ? hash : `${hash ?? 'all'}~${viewText(view)}`,
    };
  }

  /** The sort order of the view, compared as on the server. @throws SortError, ClientError */
  async order(signal: AbortSignal): Promise<readonly SortKey[]> {
    const api = this.#api;
    const { resource, view } = this.#options;
    if (view === undefined || view.sort.length === 0) return [];
    return this.#retried(signal, async () => {
      const found = findResource(api.newest, resource);
      const { fieldCollations, readRecordSchemas } = await loadLaterParts();
      const schemas = await readRecordSchemas(api, found, signal);
      return this.#sortKeys(found, fieldCollations(found, schemas));
    });
  }

  /** Where the records have their id. */
  get ids(): RecordIds {
    return this.#options.ids;
  }

  /** @throws ClientError */
  snapshot(request: SnapshotRequest, signal: AbortSignal): Promise<Snapshot> {
    const { reader, view } = this.#options;
    const read = (): Promise<Snapshot> =>
      reader === undefined || view?.limit !== undefined
        ? this.#readChain(signal)
        : this.#readWith(reader, request, signal);
    return this.#retried(signal, async () => {
      try {
        return await read();
      } catch (error) {
        if (!this.#asksForId(error)) throw error;
        await this.#findId(error, signal);
        await this.forgetReading(request.place);
        return await read();
      }
    });
  }

  /** Removes what reading a snapshot has left next to the state. @throws StateStoreError */
  async forgetReading(place: StateKeeper): Promise<void> {
    await this.#options.reader?.forget(place as StateHandle);
  }

  /**
   * The record that an event of a create or an update is about: its data, or what a look-up finds now.
   * @returns undefined if the record has been deleted since, or has left the filter: the event for that is still to come
   * @throws ClientError
   */
  async recordOf(event: ResourceEvent<JsonObject>, signal: AbortSignal): Promise<JsonObject | undefined> {
    const api = this.#api;
    const { resource, filter } = this.#options;
    if (event.data !== undefined && carriesRecord(event, findResource(api.newest, resource)))
      return event.data;
    const item = await this.#retried(signal, () =>
      getItem<JsonObject>(api, resource, event.resourceId, { signal }),
    );
    if (item.kind !== 'found') return undefined;
    if (filter === undefined) return item.record;
    this.#matches ??= await this.#retried(signal, async () => {
      const { readMatcher } = await loadFilters();
      return readMatcher(api, resource, filter, signal);
    });
    return this.#matches(item.record) ? item.record : undefined;
  }

  subscribe(place: ResumePoint, signal: AbortSignal): Subscription<JsonObject> {
    return this.#options.subscribe(place, signal);
  }

  /** Waits after a temporary failure, longer with each failure in a row. */
  async pause(error: unknown, failures: number, signal: AbortSignal): Promise<void> {
    const { platform, limits } = this.#api.context;
    const rules = retryRules(this.#api.newest, limits.maxServerDelayMs);
    const retryInMs = retryDelayAfter(rules, error, failures, platform.random());
    this.#options.onWaiting(error, retryInMs);
    await platform.waker.wait(platform.clock, retryInMs, signal);
  }

  /** Milliseconds that only go forward. */
  nowMs(): number {
    return this.#api.context.platform.clock.monotonicMs();
  }

  /** How long a follow has to be live before a failure counts as the first one again, in milliseconds. */
  get healthyAfterMs(): number {
    return this.#api.newest.capabilities.websocket.heartbeat_interval_ms;
  }

  async #retried<T>(signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
    const pause = (error: unknown, failures: number) => this.pause(error, failures, signal);
    try {
      return await retry(attempt, pause, this.#patience());
    } catch (error) {
      if (isRefusal(error)) throw new AuthenticationError(error.message, { cause: error });
      throw error;
    }
  }

  /** Refused credentials count as temporary for as long as a gateway may refuse them. */
  #patience(): (error: unknown) => boolean {
    const api = this.#api;
    const refusals = new CredentialUse(api.context);
    let { accepted } = api;
    return (error) => {
      if (!isRefusal(error)) return isRetryable(error);
      if (api.accepted !== accepted) refusals.noteAccepted();
      accepted = api.accepted;
      return refusals.noteRefused();
    };
  }

  /** @throws SortError of rostack-core, `invalid_sort` */
  async #sortKeys({ filtering }: Resource, collations?: Collations): Promise<readonly SortKey[]> {
    const { view } = this.#options;
    if (view === undefined || view.sort.length === 0) return [];
    const { parseSort } = await loadLaterParts();
    return parseSort(view.sort.join(','), filtering.sortable_fields, collations);
  }

  /** Whether a snapshot failed because the id is not where it was expected. */
  #asksForId(error: unknown): boolean {
    const { ids, view } = this.#options;
    if (error instanceof UnknownIdError) return true;
    if (!ids.isOpen) return false;
    const isRefused = error instanceof HttpProblemError && error.status === 400 && !error.retryable;
    return error instanceof RecordTwiceError || (isRefused && view?.fields !== undefined && view.addsId);
  }

  /** @throws the error that was met, or what is wrong with the place of the id */
  async #findId(met: unknown, signal: AbortSignal): Promise<void> {
    const { resource, ids } = this.#options;
    const { findRecordId } = await loadLaterParts();
    await findRecordId(this.#api, resource, ids, signal).catch((error: unknown) => {
      throw isRetryable(error) || met instanceof UnknownIdError ? error : met;
    });
    if (!ids.isOpen) return;
    if (!(met instanceof HttpProblemError)) throw met;
    this.#hasNoId = true;
  }

  /** What the server is asked for. */
  get #fields(): readonly string[] | undefined {
    const { view, ids } = this.#options;
    return view && fieldsOf(view, this.#hasNoId && ids.isOpen ? '' : ids.pointer);
  }

  async #readWith(reader: SnapshotReader, request: SnapshotRequest, signal: AbortSignal): Promise<Snapshot> {
    const { resource, filter, ids } = this.#options;
    const context = {
      ...request,
      place: request.place as StateHandle,
      api: this.#api,
      resource,
      filter,
      fields: this.#fields,
      maxRecords: this.#api.context.limits.maxSnapshotRecords,
      scope: await this.scope(signal),
      idOf: (record: JsonObject) => ids.idOf(record),
      checkId: async (id: string, record: JsonObject) => {
        if (ids.has(id, record)) return;
        (await loadLaterParts()).moveIds(ids, id, record);
        throw new UnknownIdError('the id of a record is not where it was expected');
      },
      order: (signal: AbortSignal) => this.order(signal),
      subscribe: (place: ResumePoint, signal: AbortSignal) => this.subscribe(place, signal),
      recordOf: (event: ResourceEvent<JsonObject>, signal: AbortSignal) => this.recordOf(event, signal),
      readChain: (onPage: (records: number) => void) => this.#readChain(signal, onPage),
      nowMs: () => this.nowMs(),
    };
    return reader.read(context, signal);
  }

  async #readChain(signal: AbortSignal, onPage: (records: number) => void = () => {}): Promise<Snapshot> {
    const api = this.#api;
    const { resource, filter, view, ids } = this.#options;
    const { maxSnapshotRecords } = api.context.limits;
    const fields = this.#fields;
    const order = await this.order(signal);
    const wanted = view?.limit === undefined ? Number.POSITIVE_INFINITY : view.limit + view.margin;
    const pageSize = Math.min(defaultPageSize(api.newest), wanted);
    const records = new Map<string, JsonObject>();
    let cursor: string | undefined;
    const query = {
      signal,
      ...(filter === undefined ? {} : { filter }),
      ...(view === undefined ? {} : { sort: view.sort }),
      ...(fields === undefined ? {} : { fields }),
      pageSize,
      readsAhead: () => records.size + pageSize < wanted,
    };
    for await (const page of readPages<JsonObject>(api, resource, query)) {
      cursor = page.eventCursor;
      for (const record of page.records) {
        // The last page can have more records than are wanted.
        if (records.size >= wanted) break;
        const id = ids.idOf(record);
        const { size } = records;
        records.set(id, record);
        if (records.size === size) throw new RecordTwiceError(id);
        if (size >= maxSnapshotRecords) {
          throw new ResponseError(`a snapshot has more than ${maxSnapshotRecords} records`);
        }
      }
      onPage(page.records.length);
      if (records.size >= wanted) break;
    }
    if (cursor === undefined) throw new ResponseError('the resource has no event_cursor');
    return { records, cursor, eventId: undefined, order, isWhole: records.size < wanted };
  }
}

/** Event data is the record if the event has the schema of the record. */
function carriesRecord(
  { data, eventType }: ResourceEvent<unknown>,
  { events, representations }: Resource,
): boolean {
  if (typeof data !== 'object' || data === null) return false;
  const ofRecord = representations.find(({ media_type: type }) => type === JSON_MEDIA_TYPE)?.schema_url;
  return events.find(({ name }) => name === eventType)?.schema_url === ofRecord;
}
