import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import {
  JSON_MEDIA_TYPE,
  type JsonObject,
  type Problem,
  parseProblem,
  problemSlug,
  type RecordSource,
} from 'rostack-core';
import {
  createPrincipalIdDeriver,
  createRostackApp,
  createSharedToken,
  createSharedTokenAuthenticator,
  MemorySharedTokenStore,
  type RostackAppOptions,
  type ServedImplementation,
} from 'rostack-server';
import { openStore, type ResourceDefinition, type Store, type StoreSettings } from 'rostack-store';
import { CURSOR_KEYS } from './cursor-keys.ts';
import { BASE_URL, defineObservatory, RENDERERS } from './observatory-implementation.ts';

const ALL_GRANTS = ['stations:read', 'notes:read', 'archive:read'];
const START_MS = Date.parse('2026-08-14T03:00:00Z');

export const PRINCIPAL_IDS = createPrincipalIdDeriver(new Uint8Array(32).fill(7));

export interface ObservatoryOptions {
  /** @default sqlite::memory: */
  readonly storeUrl?: string;
  readonly store?: StoreSettings;
  readonly implementation?: ServedImplementation;
  readonly app?: Partial<RostackAppOptions>;
  readonly wrapSource?: (source: RecordSource, resource: string) => RecordSource;
}

export interface RequestOptions {
  readonly method?: string;
  /** @default a token with every permission; null sends none */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The sample implementation over a real store, asked in process or through a real HTTP server. */
export class Observatory implements AsyncDisposable {
  readonly clock = { nowMs: START_MS };
  readonly tokens = new MemorySharedTokenStore();
  readonly app: Hono;
  readonly store: Store;
  readonly token: string;

  private constructor(store: Store, implementation: ServedImplementation, options: ObservatoryOptions) {
    const { wrapSource = (source) => source } = options;
    this.store = store;
    this.token = this.issueToken();
    this.app = createRostackApp({
      implementation,
      sources: (name) => wrapSource(store.source(name), name),
      authenticators: [
        createSharedTokenAuthenticator({ store: this.tokens, principalId: PRINCIPAL_IDS, cacheMs: 5_000 }),
      ],
      cursorKeys: CURSOR_KEYS,
      renderers: RENDERERS,
      clock: () => this.clock.nowMs,
      ...options.app,
    } as RostackAppOptions);
  }

  static async start(options: ObservatoryOptions = {}): Promise<Observatory> {
    const { storeUrl = 'sqlite::memory:', implementation = defineObservatory() } = options;
    const store = await openStore({
      url: storeUrl,
      resources: storedResources(implementation),
      ...options.store,
    });
    return new Observatory(store, implementation, options);
  }

  issueToken(
    grants: readonly string[] = ALL_GRANTS,
    members: { subject?: string; expiresAtMs?: number } = {},
  ): string {
    const { token, tokenId, verifier } = createSharedToken();
    this.tokens.put({ tokenId, verifier, subject: 'someone', grants, ...members });
    return token;
  }

  /** @param url a path, or a whole URL */
  async fetch(
    url: string,
    { method = 'GET', token = this.token, headers = {} }: RequestOptions = {},
  ): Promise<Response> {
    const authorization: Record<string, string> =
      token === null ? {} : { authorization: `Rostack-Token ${token}` };
    const request = new Request(new URL(url, BASE_URL), {
      method,
      headers: { ...authorization, ...headers },
    });
    return this.app.request(request);
  }

  /** The JSON of a 200 answer. */
  async get<T = JsonObject>(url: string, options?: RequestOptions): Promise<T> {
    const response = await this.fetch(url, options);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  }

  /** The problem of an answer, which has to be one and to look like one. */
  async problem(url: string, options?: RequestOptions): Promise<Problem & { slug: string | undefined }> {
    return readProblem(await this.fetch(url, options));
  }

  async putStations(...stations: readonly JsonObject[]): Promise<void> {
    await this.store.apply(stations.map((record) => ({ op: 'put', resource: 'stations', record })));
  }

  /** Serves the app on a port of its own. */
  async listen(): Promise<AsyncDisposable & { readonly port: number }> {
    const listener = getRequestListener(this.app.fetch, { overrideGlobalObjects: false });
    const server = createServer((request, response) => void listener(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      port: (server.address() as AddressInfo).port,
      async [Symbol.asyncDispose]() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.store[Symbol.asyncDispose]();
  }
}

/** Reads a problem response and checks that status, media type and request id go together. */
export async function readProblem(response: Response): Promise<Problem & { slug: string | undefined }> {
  const text = await response.text();
  if (response.headers.get('content-type') !== 'application/problem+json') {
    throw new Error(`not a problem: ${response.status} ${text}`);
  }
  const problem = parseProblem(JSON.parse(text));
  if (problem.status !== response.status || problem.request_id !== response.headers.get('x-request-id')) {
    throw new Error(`the problem does not fit its response: ${response.status} ${text}`);
  }
  return { ...problem, slug: problemSlug(problem.type) };
}

export function station(number: number, members: JsonObject = {}): JsonObject {
  const id = `station-${String(number).padStart(4, '0')}`;
  return {
    id,
    name: `관측소 ${number}`,
    region: ['강원', '제주', 'seoul'][number % 3] ?? null,
    altitude: (number * 37) % 500,
    active: number % 2 === 0,
    ...members,
  };
}

function storedResources({ discovery, schemas }: ServedImplementation): ResourceDefinition[] {
  return discovery.resources.map(({ name, representations, events, filtering }) => ({
    name,
    schema:
      schemas.get(
        representations.find(({ media_type }) => media_type === JSON_MEDIA_TYPE)?.schema_url ?? '',
      ) ?? true,
    idPointer: '/id',
    events: events.map((event) => ({ name: event.name, transition: event.state_transition })),
    filterableFields: filtering.filterable_fields,
    sortableFields: filtering.sortable_fields,
  }));
}
