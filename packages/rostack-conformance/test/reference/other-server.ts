import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JsonObject, type JsonValue, parseFields, project } from 'rostack-core';
import type { Target } from '../../src/index.ts';

const TOKENS = ['A'.repeat(44), 'B'.repeat(44)];
const MAX_PAGE_SIZE = 25;
const DEFAULT_PAGE_SIZE = 10;
const API_VERSION = '2026-11';

const RECORDS: readonly JsonObject[] = Array.from({ length: 37 }, (_, index) => ({
  id: index + 1,
  title: `Thing ${index}`,
  data: index % 3 === 0 ? null : { weight: index / 2 },
}));
const MEMBERS = ['id', 'title', 'data'];

/** An answer: its status, its body, and header fields beyond the usual ones. */
type Answer = readonly [status: number, body: JsonValue, headers?: Readonly<Record<string, string>>];

const problem = (status: number, title: string, headers?: Readonly<Record<string, string>>): Answer => [
  status,
  { type: 'about:blank', title, status },
  { 'Content-Type': 'application/problem+json', ...headers },
];

/**
 * A small implementation of release 2026-08-12 that decides otherwise than ours wherever the protocol leaves it open: integer ids, members
 * that are null, no filters, orders, events and tags, pages of at most 25, cursors that can be read, parameters that are ignored, and
 * problems without types.
 */
export class OtherServer implements AsyncDisposable {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<OtherServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    const { port } = server.address() as AddressInfo;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const [status, body, headers = {}] = answerTo(request, `https://localhost:${port}`);
      const fields = { 'Content-Type': 'application/json; charset=utf-8', ...headers };
      response.writeHead(status, fields).end(JSON.stringify(body));
    });
    return new OtherServer(server);
  }

  get target(): Target {
    const { port } = this.#server.address() as AddressInfo;
    return { url: `http://localhost:${port}`, token: TOKENS[0], secondToken: TOKENS[1] };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function answerTo({ method = 'GET', url = '/', headers }: IncomingMessage, base: string): Answer {
  const { pathname, searchParams } = new URL(url, base);
  if (method !== 'GET') return problem(405, 'Only GET', { Allow: 'GET' });
  if (pathname === '/.well-known/rostack') return [200, discovery(base)];
  if (pathname === '/schemas/thing.json') return [200, SCHEMA];
  const id = /^\/v1\/things\/([^/]+)$/.exec(pathname)?.[1];
  if (pathname !== '/v1/things' && id === undefined) return problem(404, 'No such path');
  const token = /^rostack-token (.+)$/i.exec(headers.authorization ?? '')?.[1];
  if (token === undefined || !TOKENS.includes(token)) {
    return problem(401, 'Who are you?', { 'WWW-Authenticate': 'Rostack-Token realm="things"' });
  }
  if (!/application\/(?:json|\*)|\*\/\*(?!;q=0$)/.test(headers.accept ?? '*/*'))
    return problem(406, 'JSON alone');
  const answer = id === undefined ? list(searchParams) : item(id, searchParams);
  return [answer[0], answer[1], { 'X-Rostack-API-Version': API_VERSION, ...answer[2] }];
}

function list(parameters: URLSearchParams): Answer {
  if (parameters.has('filter') || parameters.has('sort')) return problem(400, 'No filters and no orders');
  const limit = parameters.get('limit') ?? String(DEFAULT_PAGE_SIZE);
  if (!/^[1-9]\d*$/.test(limit)) return problem(400, 'A wrong limit');
  const cursor = Buffer.from(parameters.get('cursor') ?? 'bzow', 'base64').toString();
  const from = /^o:(\d+)$/.exec(cursor)?.[1];
  if (from === undefined) return problem(400, 'A wrong cursor');
  const to = Number(from) + Math.min(Number(limit), MAX_PAGE_SIZE);
  const shown = shownBy(parameters);
  if (shown === undefined) return problem(400, 'Wrong fields');
  const hasMore = to < RECORDS.length;
  const page = { next_cursor: hasMore ? Buffer.from(`o:${to}`).toString('base64') : null, has_more: hasMore };
  return [200, { items: RECORDS.slice(Number(from), to).map(shown), page }];
}

function item(id: string, parameters: URLSearchParams): Answer {
  const shown = shownBy(parameters);
  const record = /^[1-9]\d*$/.test(id) ? RECORDS[Number(id) - 1] : undefined;
  if (shown === undefined) return problem(400, 'Wrong fields');
  return record === undefined ? problem(404, 'No such thing') : [200, shown(record)];
}

/** What `fields` leaves of a record; undefined where they are wrong. */
function shownBy(parameters: URLSearchParams): ((record: JsonObject) => JsonValue) | undefined {
  const fields = parameters.get('fields');
  if (fields === null) return (record) => record;
  const pointers = fields.split(',');
  if (!pointers.every((pointer) => MEMBERS.includes(pointer.split('/')[1] ?? ''))) return undefined;
  const selection = parseFields(fields, () => true);
  return (record) => project(record, selection);
}

/** Open, as release 2026-08-12 allows. */
const SCHEMA: JsonObject = {
  type: 'object',
  required: MEMBERS,
  properties: {
    id: { type: 'integer' },
    title: { type: 'string' },
    data: { type: ['object', 'null'], properties: { weight: { type: 'number' } } },
  },
};

const discovery = (base: string): JsonObject => ({
  protocol: { name: 'rostack', version: 'rostack_v1' },
  implementation: { id: 'things', name: 'Things', api_version: API_VERSION },
  endpoints: {
    discovery: `${base}/.well-known/rostack`,
    json_api: `${base}/v1`,
    websocket: `${base.replace('https', 'wss')}/v1/socket`,
  },
  authentication: {
    methods: [
      { type: 'shared_token', http_authorization_scheme: 'Rostack-Token', provisioning: 'out_of_band' },
    ],
    permissions: { READ: '' },
  },
  capabilities: {
    filter_operators: [],
    max_page_size: MAX_PAGE_SIZE,
    websocket: {
      event_encodings: ['json'],
      extensions: [],
      authentication_timeout_ms: 5_000,
      heartbeat_interval_ms: 20_000,
      heartbeat_timeout_ms: 20_000,
      reconnect_min_delay_ms: 100,
      reconnect_max_delay_ms: 60_000,
      discovery_refresh_after_ms: 60_000,
    },
  },
  resources: [
    {
      name: 'things',
      collection_url: `${base}/v1/things`,
      item_url_template: `${base}/v1/things/{id}`,
      representations: [
        {
          media_type: 'application/json',
          schema_url: `${base}/schemas/thing.json`,
          schema_dialect: 'https://json-schema.org/draft/2020-12/schema',
        },
      ],
      events: [],
      filtering: { filterable_fields: {}, sortable_fields: [] },
      read_permissions: ['READ'],
      subscribe_permissions: [],
    },
  ],
});
