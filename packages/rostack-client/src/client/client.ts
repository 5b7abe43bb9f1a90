import type { AnyDiscoveryDocument, AuthenticationMethod, JsonObject, RecordId } from 'rostack-core';
import { anInteger, aString, expecting, recordIdText } from 'rostack-core/client';
import type { ClientContext } from '../connection/context/client-context.ts';
import { clientLimits } from '../connection/context/client-limits.ts';
import { CredentialSource, type Credentials } from '../connection/credential/credentials.ts';
import { OriginPolicy } from '../connection/credential/origin-policy.ts';
import { ConnectionManagers } from '../connection/link/connection-managers.ts';
import { createPlatform, loadLaterParts, observer, warn } from '../connection/platform/platform.ts';
import { Follow, type FollowOptions, followOptions } from '../follow/follow.ts';
import { FollowSource } from '../follow/follow-source.ts';
import { followView } from '../follow/follow-view.ts';
import { type SubscribeOptions, subscribeOptions } from '../follow/subscription/subscribe-options.ts';
import { Subscription } from '../follow/subscription/subscription.ts';
import { DiscoveryCache, findResource } from '../http/discovery-cache.ts';
import { ClientClosedError, checkUsage, UsageError } from '../http/error/errors.ts';
import { HttpClient } from '../http/http-client.ts';
import { advise } from '../list/advise.ts';
import { type GetOptions, getItem, getOptions, type Item } from '../list/get-item.ts';
import { JsonApi } from '../list/json-api.ts';
import { readPages } from '../list/read-pages.ts';
import { RecordIds } from '../list/record-ids.ts';
import { type ListOptions, listOptions, RecordList } from '../list/record-list.ts';
import { type ClientOptions, DEFAULT_BOOKMARK_AFTER_MS } from './client-options.ts';

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
  readonly #context: ClientContext;
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
    const { signal } = this.#life;
    const { bookmarkAfterMs = DEFAULT_BOOKMARK_AFTER_MS } = options;
    const context: ClientContext = {
      platform: createPlatform(options),
      limits: clientLimits(options.limits),
      bookmarkAfterMs,
      policy: new OriginPolicy(base, options),
      credentials: new CredentialSource(credentials, signal),
      life: signal,
    };
    const onDiscoveryChanged = observer('onDiscoveryChanged', options.onDiscoveryChanged);
    const onAdvice = options.onAdvice ?? ((sentence: string) => warn('rostack-client', sentence));
    const http = new HttpClient(context);
    const discovery = new DiscoveryCache(context, http, (before, after) => {
      onDiscoveryChanged();
      if (before.endpoints.websocket !== after.endpoints.websocket) this.#links.move();
    });
    this.#context = context;
    this.#method = typeof credentials === 'function' ? undefined : credentials.method;
    this.#discovery = discovery;
    this.#api = new JsonApi(context, http, discovery, observer('onAdvice', onAdvice));
    this.#links = new ConnectionManagers(context, {
      discovery,
      onStatus: observer('onStatus', options.onStatus),
    });
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
    const { waker } = this.#context.platform;
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
    const source = new FollowSource(this.#api, {
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
    });
    if (onLost !== undefined) void this.#probeWhileVisible();
    const { limits, life } = this.#context;
    return new Follow(options, { resource, source, view, limits, life });
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
    this.#context.platform.waker.wake();
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
    parts?.probeWhileVisible(this.#links, this.#context.platform.clock, this.#life.signal);
  }

  #subscribe<D>(
    resource: string,
    options: SubscribeOptions<D>,
    seen: string | undefined,
    onLost: () => void = () => {},
  ): Subscription<D> {
    this.#life.signal.throwIfAborted();
    this.#subscriptions += 1;
    const id = `s${this.#subscriptions}`;
    return new Subscription(this.#api, this.#links, { id, resource, options, seen, onLost });
  }
}
