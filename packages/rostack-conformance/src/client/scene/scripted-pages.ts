import {
  compileFilter,
  createProblem,
  type Filter,
  type FilterError,
  filterToJson,
  hasCode,
  type JsonObject,
  type ProblemSlug,
  parseFilterText,
} from 'rostack-core';
import type { ScriptedHost } from './scripted-host.ts';
import { etagOf, type ScriptedAnswer, type ScriptedRequest, unescaped } from './scripted-http.ts';

/** A list as of the moment when its first page was read. */
interface Chain {
  readonly query: string;
  readonly records: readonly JsonObject[];
  readonly eventCursor: string;
}

/** Answers requests for the records of the scripted resource. */
export class ScriptedPages {
  readonly #server: ScriptedHost;
  readonly #chains: Chain[] = [];

  constructor(server: ScriptedHost) {
    this.#server = server;
  }

  answer(request: ScriptedRequest): ScriptedAnswer {
    const { pathname } = request.url;
    const { collectionPath } = this.#server;
    const [, token] = /^rostack-token (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (token !== this.#server.token) {
      const challenge = { 'www-authenticate': 'Rostack-Token' };
      return { ...problem('authentication-required'), headers: challenge };
    }
    if (pathname === collectionPath) return this.#list(request.url);
    const isItem = pathname.startsWith(`${collectionPath}/`);
    const id = isItem ? unescaped(pathname.slice(collectionPath.length + 1)) : undefined;
    const record = id === undefined ? undefined : this.#server.log.records.get(id);
    if (record === undefined) return problem('resource-not-found');
    return { status: 200, headers: { etag: etagOf(JSON.stringify(record)) }, body: record };
  }

  #list({ searchParams }: URL): ScriptedAnswer {
    const { max_page_size: maxPageSize } = this.#server.document.capabilities;
    const limit = Number(searchParams.get('limit') ?? maxPageSize);
    if (!Number.isInteger(limit) || limit < 1 || limit > maxPageSize) return problem('invalid-request');
    const filterText = searchParams.get('filter');
    const filter = filterText === null ? undefined : readFilter(filterText);
    if (typeof filter === 'string') return problem(filter);
    const query = JSON.stringify([filterText, searchParams.get('sort'), searchParams.get('fields')]);
    const [, chainText, offsetText] = /^page-([0-9]+)-([0-9]+)$/.exec(searchParams.get('cursor') ?? '') ?? [];
    const number =
      chainText === undefined ? this.#chains.push(this.#freeze(query, filter)) - 1 : Number(chainText);
    const chain = this.#chains[number];
    if (chain === undefined || chain.query !== query) return problem('invalid-cursor');
    const start = Number(offsetText ?? 0);
    const end = start + limit;
    const hasMore = end < chain.records.length;
    const page = {
      next_cursor: hasMore ? `page-${number}-${end}` : null,
      has_more: hasMore,
      event_cursor: chain.eventCursor,
    };
    return { status: 200, body: { items: chain.records.slice(start, end), page } };
  }

  #freeze(query: string, filter: Filter | undefined): Chain {
    const { log } = this.#server;
    const matches = filter && compileFilter(filter);
    const scope = this.#server.scopeOf(filter && filterToJson(filter));
    const records = [...log.records.values()].filter((record) => matches?.(record) ?? true);
    return { query, records, eventCursor: log.cursorAt(log.head, scope) };
  }
}

/** The filter, or the problem with it. */
function readFilter(text: string): Filter | 'invalid-filter' | 'unsupported-filter' {
  try {
    return parseFilterText(text);
  } catch (error) {
    if (!hasCode<FilterError>(error, 'invalid_filter', 'unsupported_filter')) throw error;
    return error.code === 'invalid_filter' ? 'invalid-filter' : 'unsupported-filter';
  }
}

/** An answer with a problem; those that say when to come back have extra members and are made elsewhere. */
function problem(slug: Exclude<ProblemSlug, 'rate-limited' | 'service-unavailable'>): ScriptedAnswer {
  const body = createProblem(slug);
  return { status: body.status, body };
}
