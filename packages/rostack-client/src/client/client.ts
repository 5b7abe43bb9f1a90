import type {
  AnyDiscoveryDocument,
  AuthenticationMethod,
  JsonObject,
  RecordId,
  Resource,
} from 'rostack-core';
import { anInteger, aString, expecting, recordIdText } from 'rostack-core/client';
import { CredentialSource, type Credentials } from '../connection/credential/credentials.ts';
import { ConnectionManagers } from '../connection/link/connection-managers.ts';
import {
  createPlatform,
  type Filters,
  loadFilters,
  loadLaterParts,
  observer,
  type Platform,
  warn,
} from '../connection/platform/platform.ts';
import type { SubscriptionDefinition } from '../connection/session/session-state.ts';
import { Follow, type FollowOptions, followOptions } from '../follow/follow.ts';
import { FollowSource } from '../follow/follow-source.ts';
import { followView } from '../follow/follow-view.ts';
import {
  defineSubscription,
  type SubscribeOptions,
  subscribeOptions,
} from '../follow/subscription/subscribe-options.ts';
import { Subscription } from '../follow/subscription/subscription.ts';
import { DiscoveryCache, findResource } from '../http/discovery-cache.ts';
import { ClientClosedError, checkUsage, UsageError } from '../http/error/errors.ts';
import { HttpClient } from '../http/http-client.ts';
import { OriginPolicy } from '../http/origin-policy.ts';
import { advise } from '../list/advise.ts';
import { type GetOptions, getItem, getOptions, type Item } from '../list/get-item.ts';
import { JsonApi } from '../list/json-api.ts';
import { readEventCursor, readPages } from '../list/read-pages.ts';
import { RecordIds } from '../list/record-ids.ts';
import { type ListOptions, listOptions, RecordList } from '../list/record-list.ts';
import {
  type ClientLimits,
  type ClientOptions,
  clientLimits,
  DEFAULT_BOOKMARK_AFTER_MS,
} from './client-options.ts';

const anId = expecting(
  'the id of a record, a string or a safe integer',
  (value) => recordIdText(value) !== undefined,
);

/** Options of `RostackClient.recordId`. */
export interface RecordIdLookUp {
  /**
   * Ends it when it is aborted, with the signal's reason.
   * @default none
   */
  readonly signal?: AbortSignal;
}

/** A server's data: lists, items, events and followed sets. Made by `connect`; close it when you are done. */
export class RostackClient implements AsyncDisposable {
  readonly #limits: ClientLimits;
  readonly #bookmarkAfterMs: number;
  readonly #platform: Platform;
  readonly #credentials: CredentialSource;
  readonly #life = new AbortController();
  readonly #discovery: DiscoveryCache;
  readonly #api: JsonApi;
  readonly #links: ConnectionManagers;
  /** The method of a credential that is fixed; undefined for a callback. */
  readonly #method: AuthenticationMethod | undefined;
  /** By resource, of follows that do not say where the id is. */
  readonly #recordIds = new Map<string, RecordIds>();
  #subscriptions = 0;
  #isProbing = false;

  /** Use `connect`. */
  constructor(base: URL, credentials: Credentials, options: ClientOptions) {
    const limits = clientLimits(options);
    const platform = createPlatform(options);
    const policy = new OriginPolicy(base, options);
    const source = new CredentialSource(credentials, this.#life.signal);
    const http = new HttpClient({ platform, credentials: source, requestTimeoutMs: limits.requestTimeoutMs });
    const onDiscoveryChanged = observer('onDiscoveryChanged', options.onDiscoveryChanged);
    const { signal } = this.#life;
    this.#limits = limits;
    this.#bookmarkAfterMs = options.bookmarkAfterMs ?? DEFAULT_BOOKMARK_AFTER_MS;
    this.#platform = platform;
    this.#credentials = source;
    this.#method = typeof credentials === 'function' ? undefined : credentials.method;
    this.#discovery = new DiscoveryCache({
      http,
      url: base,
      signal,
      maxBytes: limits.maxDiscoveryBytes,
      clock: platform.clock,
      onChanged: (before, after) => {
        onDiscoveryChanged();
        if (before.endpoints.websocket !== after.endpoints.websocket) this.#links.move();
      },
    });
    this.#api = new JsonApi({
      ...limits,
      http,
      policy,
      signal,
      platform,
      onAdvice: observer(
        'onAdvice',
        options.onAdvice ?? ((sentence: string) => warn('rostack-client', sentence)),
      ),
      discovery: this.#discovery,
      maxBytes: limits.maxResponseBytes,
    });
    this.#links = new ConnectionManagers(
      {
        ...limits,
        bookmarkAfterMs: this.#bookmarkAfterMs,
        platform,
        policy,
        discovery: this.#discovery,
        credentials: source,
        onStatus: observer('onStatus', options.onStatus),
      },
      limits.maxSubscriptionsPerConnection,
    );
    options.signal?.addEventListener('abort', () => void this.close(), { once: true, signal });
  }

  /** The newest known discovery document. */
  get discovery(): AnyDiscoveryDocument {
    return this.#api.newest;
  }

  /** Reads discovery for the first time. @throws ClientError */
  async start(): Promise<void> {
    const { document } = await this.#api.discover(undefined);
    const methods = document.authentication.methods.map(({ type }) => type);
    if (this.#method !== undefined && !methods.includes(this.#method)) {
      throw new UsageError(
        `the server accepts credentials of ${methods.join(' and ')}, not of ${this.#method}`,
      );
    }
    this.#discovery.keepFresh(() => this.#links.isUsed);
    const { waker } = this.#platform;
    const stopListening = waker.onWake(() => this.#links.wake());
    this.#life.signal.addEventListener('abort', stopListening, { once: true });
    waker.listen(this.#life.signal);
  }

  /**
   * The records of a resource, in one consistent chain of pages. No request is made before the iteration.
   * @throws UsageError `invalid_options`
   */
  list<T = JsonObject>(resource: string, options: ListOptions<T> = {}): RecordList<T> {
    checkUsage(aString, resource, 'resource');
    checkUsage(listOptions, options);
    return new RecordList(() => readPages(this.#api, resource, options));
  }

  /** One record, by its id as in the record or as text. @throws ClientError */
  async get<T = JsonObject>(resource: string, id: RecordId, options: GetOptions<T> = {}): Promise<Item<T>> {
    checkUsage(aString, resource, 'resource');
    checkUsage(anId, id, 'id');
    checkUsage(getOptions, options);
    return getItem(this.#api, resource, recordIdText(id) ?? '', options);
  }

  /**
   * The events of a resource, from a cursor or from now on.
   * @throws UsageError `invalid_options` when the discovery document does not allow it, ClientClosedError. A filter that it does not
   *   allow ends the iteration with FilterError of rostack-core, before anything is sent
   */
  subscribe<D = JsonObject>(resource: string, options: SubscribeOptions<D> = {}): Subscription<D> {
    checkUsage(aString, resource, 'resource');
    checkUsage(subscribeOptions, options);
    const subscription = this.#subscribe(resource, options, undefined);
    if (options.filter !== undefined) {
      const signal = options.signal ?? this.#life.signal;
      // It concerns nobody when the subscription or the client ends before.
      void advise(this.#api, findResource(this.discovery, resource), options.filter, signal).catch(() => {});
    }
    return subscription;
  }

  /**
   * The set of records that match a filter: a snapshot, then its changes, across lost connections. No request is made before the iteration.
   * @throws UsageError `invalid_options`
   */
  follow<T = JsonObject>(resource: string, options: FollowOptions<T> = {}): Follow<T> {
    checkUsage(aString, resource, 'resource');
    checkUsage(followOptions, options);
    const { filter, snapshot, onWaiting, onLost, recordId } = options;
    const view = followView(options);
    const selection = filter === undefined ? {} : { filter };
    const source = new FollowSource({
      api: this.#api,
      platform: this.#platform,
      resource,
      filter,
      view,
      ids: recordId === undefined ? this.#idsOf(resource) : new RecordIds(recordId),
      reader: snapshot,
      subscribe: ({ cursor, seen }, signal) =>
        this.#subscribe<JsonObject>(
          resource,
          { ...selection, cursor, signal },
          seen,
          observer('onLost', onLost),
        ),
      onWaiting: observer('onWaiting', onWaiting),
      maxRecords: this.#limits.maxSnapshotRecords,
      maxServerDelayMs: this.#limits.maxServerDelayMs,
      refusals: {
        source: this.#credentials,
        clock: this.#platform.clock,
        maxRefusalMs: this.#limits.maxRefusalMs,
      },
    });
    if (onLost !== undefined) void this.#probeWhileVisible();
    return new Follow(options, { resource, source, view, limits: this.#limits, life: this.#life.signal });
  }

  /**
   * Where the records of a resource have their id, as a JSON Pointer: what is different in all of the first ones, and what a look-up finds
   * them again for. A follow without `recordId` looks there too.
   * @returns `/id` where there are no records yet
   * @throws RecordError `invalid_record` that names the places, when more than one is left, or none; ClientError
   */
  async recordId(resource: string, { signal }: RecordIdLookUp = {}): Promise<string> {
    checkUsage(aString, resource, 'resource');
    const ids = this.#idsOf(resource);
    if (ids.isOpen) {
      const { findRecordId } = await loadLaterParts();
      await findRecordId(this.#api, resource, ids, signal);
    }
    return ids.pointer ?? '/id';
  }

  /**
   * Ends waits between attempts, and checks that open connections still answer. Call it when the network may have come back. The client
   * does the same when a browser is `online` again, and when its page becomes visible again.
   */
  wake(): void {
    this.#platform.waker.wake();
  }

  /**
   * Asks open connections that were silent for a while whether they are there; ends no waits, unlike `wake`. A page that follows with
   * `onLost` does the same while it is visible.
   * @param quietForMs milliseconds of silence @default 0
   */
  probe(quietForMs = 0): void {
    checkUsage(anInteger(0), quietForMs, 'quietForMs');
    this.#links.probe(quietForMs);
  }

  /** Ends everything; what is under way fails with `ClientClosedError`. */
  async close(): Promise<void> {
    if (this.#life.signal.aborted) return;
    const error = new ClientClosedError();
    this.#links.close(error);
    this.#life.abort(error);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #idsOf(resource: string): RecordIds {
    const ids = this.#recordIds.get(resource) ?? new RecordIds();
    this.#recordIds.set(resource, ids);
    return ids;
  }

  /** Begins, once, to notice soon that a server is dead. */
  async #probeWhileVisible(): Promise<void> {
    if (this.#isProbing) return;
    this.#isProbing = true;
    // Without this part a dead server is noticed by the heartbeat alone.
    const parts = await loadLaterParts().catch(() => undefined);
    parts?.probeWhileVisible(this.#links, this.#platform.clock, this.#life.signal);
  }

  #subscribe<D>(
    resource: string,
    options: SubscribeOptions<D>,
    seen: string | undefined,
    onLost: () => void = () => {},
  ): Subscription<D> {
    this.#life.signal.throwIfAborted();
    const find = (): Resource => findResource(this.discovery, resource);
    let filters: Filters | undefined;
    const define = (): SubscriptionDefinition => defineSubscription(this.discovery, find(), options, filters);
    define();
    const prepare = async (): Promise<void> => {
      filters = await loadFilters();
      this.#life.signal.throwIfAborted();
      define();
    };
    this.#subscriptions += 1;
    return new Subscription({
      id: `s${this.#subscriptions}`,
      define,
      prepare: options.filter === undefined ? undefined : prepare,
      resource: find,
      cursor: options.cursor,
      seen,
      schema: options.schema,
      signal: options.signal,
      queueLimits: { maxItems: this.#limits.maxQueuedEvents, maxSize: this.#limits.maxQueuedLength },
      links: this.#links,
      platform: this.#platform,
      takeBookmark: (signal) => readEventCursor(this.#api, resource, signal),
      bookmarkAfterMs: this.#bookmarkAfterMs,
      maxServerDelayMs: this.#limits.maxServerDelayMs,
      onLost,
    });
  }
}
