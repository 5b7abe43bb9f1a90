import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { foreignDiscovery, schemaUrl } from './foreign-discovery.ts';
import type { ForeignLog } from './foreign-log.ts';
import {
  type ForeignResource,
  type ForeignStyle,
  type Json,
  type JsonRecord,
  matches,
} from './foreign-style.ts';

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
  readonly #isToken: (token: string | undefined) => boolean;
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

  constructor(style: ForeignStyle, log: ForeignLog, base: string, isToken: (token?: string) => boolean) {
    this.#style = style;
    this.#log = log;
    this.#base = base;
    this.#isToken = isToken;
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
    if (!this.#isToken(token)) {
      return this.#problem('authentication-required', { 'WWW-Authenticate': 'Rostack-Token' });
    }
    const answer =
      rawId === undefined
        ? this.#list(resource, searchParams)
        : this.#item(resource, decodeURIComponent(rawId), searchParams, headers['if-none-match']);
    return [answer[0], answer[1], { 'X-Rostack-API-Version': this.#style.apiVersion, ...answer[2] }];
  }

  #schema(url: string): JsonRecord | undefined {
    for (const resource of this.#style.resources) {
      const { schema, eventSchema } = resource;
      if (url === schemaUrl(this.#base, resource, 'record')) return { $id: url, ...schema };
      if (url === schemaUrl(this.#base, resource, 'event') && eventSchema)
        return { $id: url, ...eventSchema };
    }
    return undefined;
  }

  #list(resource: ForeignResource, parameters: URLSearchParams): ForeignAnswer {
    const names = [...parameters.keys()];
    if (new Set(names).size < names.length) return this.#problem('invalid-request');
    if (parameters.has('sort')) return this.#problem('invalid-request');
    const filter = this.#filterOf(resource, parameters.get('filter'));
    if (typeof filter === 'string') return this.#problem(filter);
    const limit = this.#limitOf(parameters.get('limit'));
    const shown = shownBy(resource, parameters.get('fields'));
    if (limit === undefined) return this.#problem('invalid-request');
    if (shown === undefined) return this.#problem('invalid-fields');
    const cursor = parameters.get('cursor');
    const query = JSON.stringify([resource.name, filter ?? null, parameters.get('fields')]);
    const position = this.#log.position;
    const items = [...this.#log.all(resource).values()].filter((record) => matches(record, filter));
    const chain = cursor === null ? { query, limit, items, position } : this.#chains.get(cursor);
    if (chain === undefined || chain.query !== query) return this.#problem('invalid-cursor');
    const isOther = chain.limit !== limit;
    if (isOther && this.#style.onOtherLimit === 'refuses') return this.#problem('invalid-cursor');
    const rest = isOther ? [] : chain.items.slice(limit);
    const next = rest.length === 0 ? null : `n${this.#chains.size}`;
    if (next !== null) this.#chains.set(next, { ...chain, items: rest });
    const page = { next_cursor: next, has_more: next !== null, event_cursor: `p${chain.position}` };
    return [200, { items: isOther ? [] : chain.items.slice(0, limit).map(shown), page }];
  }

  /** A text is the problem. */
  #filterOf({ filterable }: ForeignResource, text: string | null): JsonRecord | string | undefined {
    if (text === null) return undefined;
    if (filterable === undefined) return 'invalid-filter';
    return readFilter(text, filterable);
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

/** What `fields` leaves of a record: whole members; undefined where they are wrong. */
function shownBy(
  { schema }: ForeignResource,
  fields: string | null,
): ((record: JsonRecord) => JsonRecord) | undefined {
  if (fields === null) return (record) => record;
  const names = fields.split(',').map((pointer) => pointer.split('/')[1] ?? '');
  const known = Object.keys(schema['properties'] as JsonRecord);
  if (!names.every((name) => known.includes(name))) return undefined;
  return (record) => Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}

/** A filter of fields and operators that are advertised; otherwise the problem. */
export function readFilter(
  text: string,
  filterable: Readonly<Record<string, readonly string[]>>,
): JsonRecord | string {
  let filter: Json;
  try {
    filter = JSON.parse(text) as Json;
  } catch {
    return 'invalid-filter';
  }
  if (!isObject(filter) || Object.keys(filter).length === 0) return 'invalid-filter';
  for (const [pointer, operators] of Object.entries(filter)) {
    if (!isObject(operators) || Object.keys(operators).length === 0) return 'invalid-filter';
    if (!pointer.startsWith('/')) return 'invalid-filter';
    const known = filterable[pointer] ?? [];
    if (!Object.keys(operators).every((operator) => known.includes(operator))) return 'unsupported-filter';
    if ('in' in operators && !Array.isArray(operators['in'])) return 'invalid-filter';
  }
  return filter;
}

const isObject = (value: Json): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
