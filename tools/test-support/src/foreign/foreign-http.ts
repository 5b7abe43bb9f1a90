import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { DIALECT, foreignDiscovery, schemaUrl } from './foreign-discovery.ts';
import { filterProblem, matches } from './foreign-filter.ts';
import { eventCursor, type ForeignLog } from './foreign-log.ts';
import { type ForeignResource, type ForeignStyle, type Json, type JsonRecord } from './foreign-style.ts';

/** An answer: its status, its body, and header fields beyond the usual ones. */
export type ForeignAnswer = readonly [
  status: number,
  body: Json | undefined,
  headers?: Readonly<Record<string, string>>,
];

const TITLES: Readonly<Record<string, readonly [number, string]>> = {
  'invalid-request': [400, 'Invalid request'],
  'invalid-filter': [400, 'Invalid filter'],
  'unsupported-filter': [400, 'Unsupported filter'],
  'invalid-sort': [400, 'Invalid sort'],
  'invalid-fields': [400, 'Invalid fields'],
  'invalid-cursor': [400, 'Invalid cursor'],
  'authentication-required': [401, 'Authentication required'],
  'resource-not-found': [404, 'Resource not found'],
  'method-not-allowed': [405, 'Method not allowed'],
  'representation-not-acceptable': [406, 'Representation not acceptable'],
};

/** Answers the requests of a stand-in. */
export class ForeignHttp {
  readonly #style: ForeignStyle;
  readonly #log: ForeignLog;
  readonly #base: string;
  readonly #principalOf: (token: string | undefined) => string | undefined;
  /** What is left of each chain of pages: the records of its moment, and its query. */
  readonly #chains = new Map<
    string,
    {
      readonly query: string;
      readonly limit: number;
      readonly items: readonly JsonRecord[];
      readonly position: number;
    }
  >();

  constructor(
    style: ForeignStyle,
    log: ForeignLog,
    base: string,
    principalOf: (token?: string) => string | undefined,
  ) {
    this.#style = style;
    this.#log = log;
    this.#base = base;
    this.#principalOf = principalOf;
  }

  answer({ method = 'GET', url = '/', headers }: IncomingMessage): ForeignAnswer {
    const { pathname, searchParams } = new URL(url, this.#base);
    if (method !== 'GET') return this.#problem('method-not-allowed', { Allow: 'GET' });
    if (
      !/application\/(?:json|\*)|\*\/\*/.test(
        (headers.accept ?? '*/*').replaceAll(/[^,]+;\s*q=0(?:,|$)/g, ''),
      )
    )
      return this.#problem('representation-not-acceptable');
    if (pathname === '/.well-known/rostack') {
      return this.#tagged(foreignDiscovery(this.#style, this.#base), headers['if-none-match'], {
        'Cache-Control': 'max-age=60',
      });
    }
    const schema = this.#schema(`${this.#base}${pathname}`);
    if (schema !== undefined) return [200, schema];
    const [, name, rawId] = /^\/api\/([^/]+)(?:\/([^/]+))?$/.exec(pathname) ?? [];
    const resource = this.#style.resources.find((one) => one.name === name);
    if (resource === undefined) return this.#problem('resource-not-found');
    const token = /^rostack-token (.+)$/i.exec(headers.authorization ?? '')?.[1];
    const principal = this.#principalOf(token);
    if (principal === undefined) {
      return this.#problem('authentication-required', { 'WWW-Authenticate': 'Rostack-Token' });
    }
    const answer =
      rawId === undefined
        ? this.#list(resource, searchParams, principal)
        : this.#item(resource, decodeURIComponent(rawId), searchParams, headers['if-none-match']);
    return [answer[0], answer[1], { 'X-Rostack-API-Version': this.#style.apiVersion, ...answer[2] }];
  }

  /** What cannot be parsed as HTTP. */
  unreadable(): ForeignAnswer {
    return this.#problem('invalid-request');
  }

  #schema(url: string): JsonRecord | undefined {
    for (const resource of this.#style.resources) {
      const { schema, eventSchema } = resource;
      if (url === schemaUrl(this.#base, resource, 'record')) return { $schema: DIALECT, $id: url, ...schema };
      if (url === schemaUrl(this.#base, resource, 'event') && eventSchema)
        return { $schema: DIALECT, $id: url, ...eventSchema };
    }
    return undefined;
  }

  #list(resource: ForeignResource, parameters: URLSearchParams, principal: string): ForeignAnswer {
    const names = [...parameters.keys()];
    if (new Set(names).size < names.length) return this.#problem('invalid-request');
    if (parameters.has('sort')) return this.#problem('invalid-sort');
    const filter = this.#filterOf(resource, parameters.get('filter'));
    if (typeof filter === 'string') return this.#problem(filter);
    const limit = this.#limitOf(parameters.get('limit'));
    const shown = shownBy(resource, parameters.get('fields'));
    if (limit === undefined) return this.#problem('invalid-request');
    if (shown === undefined) return this.#problem('invalid-fields');
    const cursor = parameters.get('cursor');
    const query = JSON.stringify([resource.name, principal, filter ?? null, parameters.get('fields')]);
    const position = this.#log.position;
    const items = [...this.#log.all(resource).values()].filter((record) => matches(record, filter));
    const chain = cursor === null ? { query, limit, items, position } : this.#chains.get(cursor);
    if (chain === undefined || chain.query !== query) return this.#problem('invalid-cursor');
    const isOther = chain.limit !== limit;
    if (isOther && this.#style.onOtherLimit === 'refuses') return this.#problem('invalid-cursor');
    const rest = isOther ? [] : chain.items.slice(limit);
    const next = rest.length === 0 ? null : `n${this.#chains.size}`;
    if (next !== null) this.#chains.set(next, { ...chain, items: rest });
    const page = {
      next_cursor: next,
      has_more: next !== null,
      event_cursor: eventCursor(chain.position, resource, principal),
    };
    return [200, { items: isOther ? [] : chain.items.slice(0, limit).map(shown), page }];
  }

  /** A text is the problem. */
  #filterOf({ filterable }: ForeignResource, text: string | null): JsonRecord | string | undefined {
    if (text === null) return undefined;
    if (this.#style.filterOperators.length === 0) return 'invalid-filter';
    try {
      const filter = JSON.parse(text) as Json;
      return filterProblem(filter, filterable ?? {}) ?? (filter as JsonRecord);
    } catch {
      return 'invalid-filter';
    }
  }

  #item(
    resource: ForeignResource,
    id: string,
    parameters: URLSearchParams,
    condition: string | undefined,
  ): ForeignAnswer {
    const shown = shownBy(resource, parameters.get('fields'));
    const record = this.#log.all(resource).get(id);
    if (shown === undefined) return this.#problem('invalid-fields');
    if (record === undefined) return this.#problem('resource-not-found');
    return this.#tagged(shown(record), condition);
  }

  /** An empty one counts as none. */
  #limitOf(text: string | null): number | undefined {
    const { maxPageSize } = this.#style;
    if (text === null || text === '') return Math.min(50, maxPageSize);
    const limit = Number(text);
    return /^[1-9]\d*$/.test(text) && limit <= maxPageSize ? limit : undefined;
  }

  #tagged(
    body: JsonRecord,
    condition: string | undefined,
    headers: Readonly<Record<string, string>> = {},
  ): ForeignAnswer {
    const hash = createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 16);
    const fields = { ETag: `"${hash}"`, ...headers };
    return condition === `"${hash}"` ? [304, undefined, fields] : [200, body, fields];
  }

  #problem(slug: string, headers: Readonly<Record<string, string>> = {}): ForeignAnswer {
    const [status, title] = TITLES[slug] as readonly [number, string];
    const isTyped = this.#style.release === '2026-08-13';
    const type = isTyped ? `https://spec.pmh.codes/problems/${slug}` : 'about:blank';
    return [status, { type, title, status }, { 'Content-Type': 'application/problem+json', ...headers }];
  }
}

/** What `fields` leaves of a record; undefined where they are wrong. */
function shownBy(
  { schema }: ForeignResource,
  fields: string | null,
): ((record: JsonRecord) => JsonRecord) | undefined {
  if (fields === null) return (record) => record;
  const paths = fields.split(',').map((pointer) => pointer.split('/').slice(1));
  const known = Object.keys(schema['properties'] as JsonRecord);
  if (!paths.every(([name = '']) => known.includes(name))) return undefined;
  return (record) => shownOf(record, paths) as JsonRecord;
}

function shownOf(value: Json, paths: readonly (readonly string[])[]): Json {
  if (paths.some((path) => path.length === 0) || typeof value !== 'object' || value === null) return value;
  const inside = (name: string) => paths.filter(([first]) => first === name).map((path) => path.slice(1));
  const kept = Object.entries(value).flatMap(([name, member]) => {
    const own = inside(name);
    const isLost =
      own.length === 0 || (own.every((path) => path.length > 0) && typeof (member ?? 0) !== 'object');
    return isLost ? [] : [[name, shownOf(member, own)] as const];
  });
  return Array.isArray(value) ? kept.map(([, member]) => member) : Object.fromEntries(kept);
}
