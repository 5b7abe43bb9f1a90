import {
  type AnyDiscoveryDocument,
  type AuthenticationMethod,
  aText,
  type JsonObject,
  type Resource,
} from 'rostack-core';
import { type ClientLimits, type ClientOptions, DEFAULT_CLIENT_LIMITS } from './client-options.ts';
import type { Credentials } from './credential/credential.ts';
import { CredentialSource } from './credential/credential-source.ts';
import { DiscoveryCache } from './discovery/discovery-cache.ts';
import { ClientClosedError, UsageError } from './error/index.ts';
import { Follow } from './follow/follow.ts';
import type { FollowBackend } from './follow/follow-backend.ts';
import { type FollowOptions, followOptions } from './follow/follow-options.ts';
import { HttpClient } from './http/http-client.ts';
import { OriginPolicy } from './http/origin-policy.ts';
import { delayAfter } from './http/with-retries.ts';
import { type GetOptions, getItem, getOptions, type Item } from './item/get-item.ts';
import { LinkPool } from './link/link-pool.ts';
import { type ListOptions, listOptions } from './list/list-options.ts';
import { readPages } from './list/read-pages.ts';
import { RecordList } from './list/record-list.ts';
import { checkUsage } from './options/check-usage.ts';
import { observer } from './platform/observer.ts';
import { createPlatform, type Platform } from './platform/platform.ts';
import { wait } from './platform/wait.ts';
import type { ReconnectRules } from './reconnect/reconnect-delay.ts';
import { findResource } from './resource/find-resource.ts';
import { JsonApi } from './resource/json-api.ts';
import type { SubscriptionDefinition } from './session/index.ts';
import { defineSubscription } from './subscription/define-subscription.ts';
import { type SubscribeOptions, subscribeOptions } from './subscription/subscribe-options.ts';
import { Subscription } from './subscription/subscription.ts';

/** A server's data: lists, items, events and followed sets. Made by `connect`; close it in the end. */
export class RostackClient implements AsyncDisposable {
  readonly #limits: ClientLimits;
  readonly #platform: Platform;
  readonly #life = new AbortController();
  readonly #discovery: DiscoveryCache;
  readonly #api: JsonApi;
  readonly #links: LinkPool;
  #callOffRefresh: (() => void) | undefined;
  /** Of a credential that is given for good. */
  readonly #method: AuthenticationMethod | undefined;
  #subscriptions = 0;

  /** Use `connect`. */
  constructor(base: URL, credentials: Credentials, options: ClientOptions) {
    const limits = limitsOf(options);
    const onDiscoveryChanged = observer('onDiscoveryChanged', options.onDiscoveryChanged);
    const { signal } = this.#life;
    this.#limits = limits;
    this.#platform = createPlatform(options);
    const platform = this.#platform;
    const policy = new OriginPolicy(base, options);
    const source = new CredentialSource(credentials, signal);
    this.#method = typeof credentials === 'function' ? undefined : credentials.method;
    const http = new HttpClient({ platform, credentials: source, requestTimeoutMs: limits.requestTimeoutMs });
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
      http,
      policy,
      signal,
      discovery: this.#discovery,
      maxBytes: limits.maxResponseBytes,
      retry: { ...limits, random: platform.random, clock: platform.clock },
    });
    this.#links = new LinkPool(
      {
        platform,
        policy,
        discovery: this.#discovery,
        credentials: source,
        maxFrameLength: limits.maxFrameLength,
        maxServerDelayMs: limits.maxServerDelayMs,
        answerTimeoutMs: limits.answerTimeoutMs,
        maxRefusalMs: limits.maxRefusalMs,
        maxViolations: limits.maxViolations,
        onStatus: observer('onStatus', options.onStatus),
      },
      limits.maxSubscriptionsPerConnection,
    );
    options.signal?.addEventListener('abort', () => void this.close(), { once: true, signal });
  }

  /** The newest known discovery document. */
  get discovery(): AnyDiscoveryDocument {
    const { newest } = this.#discovery;
    if (newest === undefined) throw new ClientClosedError();
    return newest.document;
  }

  /** Reads discovery for the first time. @throws ClientError */
  async start(): Promise<void> {
    const { document } = await this.#api.discover(undefined);
    const methods = document.authentication.methods.map(({ type }) => type);
    if (this.#method !== undefined && !methods.includes(this.#method)) {
      throw new UsageError(`the server takes credentials of: ${methods.join(', ')}; not ${this.#method}`);
    }
    this.#scheduleRefresh();
  }

  /**
   * The records of a resource, in one consistent chain of pages. Nothing is asked before the iteration.
   * @throws UsageError `invalid_options`
   */
  list<T = JsonObject>(resource: string, options: ListOptions<T> = {}): RecordList<T> {
    checkUsage(aText, resource, 'resource');
    checkUsage(listOptions, options);
    return new RecordList(() => readPages(this.#api, resource, options));
  }

  /** One record. @throws ClientError */
  async get<T = JsonObject>(resource: string, id: string, options: GetOptions<T> = {}): Promise<Item<T>> {
    checkUsage(aText, resource, 'resource');
    checkUsage(aText, id, 'id');
    checkUsage(getOptions, options);
    return getItem(this.#api, resource, id, options);
  }

  /**
   * The events of a resource, from a cursor or from now on.
   * @throws UsageError `invalid_options`, ClientClosedError, and FilterError of rostack-core, when the discovery document does not allow it
   */
  subscribe<D = JsonObject>(resource: string, options: SubscribeOptions<D> = {}): Subscription<D> {
    checkUsage(aText, resource, 'resource');
    checkUsage(subscribeOptions, options);
    return this.#subscribe(resource, options, undefined);
  }

  #subscribe<D>(resource: string, options: SubscribeOptions<D>, seen: string | undefined): Subscription<D> {
    this.#life.signal.throwIfAborted();
    const find = (): Resource => findResource(this.discovery, resource);
    const define = (): SubscriptionDefinition => defineSubscription(this.discovery, find(), options);
    define();
    this.#subscriptions += 1;
    return new Subscription({
      id: `s${this.#subscriptions}`,
      define,
      resource: find,
      cursor: options.cursor,
      seen,
      schema: options.schema,
      signal: options.signal,
      queueLimits: { maxItems: this.#limits.maxQueuedEvents, maxSize: this.#limits.maxQueuedLength },
      links: this.#links,
    });
  }

  /**
   * The set of records that match a filter: a snapshot, then its changes, over whatever happens. Begins with the iteration.
   * @throws UsageError `invalid_options`
   */
  follow<T = JsonObject>(resource: string, options: FollowOptions<T> = {}): Follow<T> {
    checkUsage(aText, resource, 'resource');
    checkUsage(followOptions, options);
    return new Follow(resource, options, this.#followBackend(resource, options));
  }

  /** Ends everything; what is under way fails with `ClientClosedError`. */
  async close(): Promise<void> {
    if (this.#life.signal.aborted) return;
    this.#callOffRefresh?.();
    const error = new ClientClosedError();
    this.#links.close(error);
    this.#life.abort(error);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #followBackend(
    name: string,
    { filter, onWaiting }: Pick<FollowOptions<never>, 'filter' | 'onWaiting'>,
  ): FollowBackend {
    const selection = filter === undefined ? {} : { filter };
    const tellWaiting = observer('onWaiting', onWaiting);
    return {
      describe: async (signal) => {
        const { document } = await this.#api.discover(signal);
        const resource = findResource(document, name);
        defineSubscription(document, resource, selection);
        return { document, resource };
      },
      resource: () => findResource(this.discovery, name),
      pages: (signal) => readPages<JsonObject>(this.#api, name, { ...selection, signal }),
      get: (id, signal) => getItem<JsonObject>(this.#api, name, id, { signal }),
      subscribe: async ({ cursor, seen }, signal) =>
        this.#subscribe<JsonObject>(name, { ...selection, cursor, signal }, seen),
      pause: async (error, failures, signal) => {
        const retryInMs = delayAfter(this.#rules(), error, failures, this.#platform.random());
        tellWaiting(error, retryInMs);
        await wait(this.#platform.clock, retryInMs, signal);
      },
      nowMs: () => this.#platform.clock.monotonicMs(),
      healthyAfterMs: () => this.discovery.capabilities.websocket.heartbeat_interval_ms,
      maxRecords: this.#limits.maxSnapshotRecords,
      maxRefusedSnapshots: this.#limits.maxRefusedSnapshots,
      maxLagMs: this.#limits.maxLagMs,
      life: this.#life.signal,
    };
  }

  #rules(): ReconnectRules {
    const { reconnect_min_delay_ms: minDelayMs, reconnect_max_delay_ms: maxDelayMs } =
      this.discovery.capabilities.websocket;
    const { maxServerDelayMs } = this.#limits;
    return {
      minDelayMs: Math.min(minDelayMs, maxServerDelayMs),
      maxDelayMs: Math.min(maxDelayMs, maxServerDelayMs),
      maxServerDelayMs,
    };
  }

  /** While something is subscribed, discovery is asked again when it is old. */
  #scheduleRefresh(): void {
    if (this.#life.signal.aborted) return;
    const delayMs = (this.#discovery.dueMs ?? 0) - this.#platform.clock.monotonicMs();
    const isBackground = true;
    this.#callOffRefresh = this.#platform.clock.after(
      Math.max(delayMs, 1_000),
      () => void this.#refresh(),
      isBackground,
    );
  }

  async #refresh(): Promise<void> {
    if (this.#links.isUsed) await this.#discovery.get().catch(() => {});
    this.#scheduleRefresh();
  }
}

/** A limit that is given as undefined is not given. */
function limitsOf({ limits = {} }: ClientOptions): ClientLimits {
  const given = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
  return { ...DEFAULT_CLIENT_LIMITS, ...given };
}
