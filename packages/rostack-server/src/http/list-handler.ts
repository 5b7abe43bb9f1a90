import { hash } from 'node:crypto';
import {
  type Head,
  matchesEtag,
  type PageKey,
  type PagePlace,
  type Position,
  PositionExpiredError,
  type Principal,
  SourceUnavailableError,
} from 'rostack-core';
import { type Awaitable, andThen } from '../awaitable.ts';
import { encodeCollection, encodePageMember, type PageRows, representBodies } from './collection-page.ts';
import type { Cursors } from './cursors.ts';
import type { Exchange, Reply } from './exchange.ts';
import { HttpProblem } from './http-problem.ts';
import { type ListQuery, ListQueryParser } from './list-query.ts';
import type { PageCache, ReadyPage } from './page-cache.ts';
import { checkNextUrlLength } from './request-rules.ts';
import type { ServedRepresentation, ServedResource } from './served-resource.ts';
import { Slab } from './slab.ts';
import type { TimeLimit } from './time-limit.ts';

export interface ListDependencies {
  readonly cursors: Cursors;
  readonly pageCache: PageCache | undefined;
  readonly timeLimit: TimeLimit;
}

/** Where one page stands: which snapshot, which rows of it, and how they are shown. */
interface PageAddress {
  readonly query: ListQuery;
  readonly representation: ServedRepresentation;
  readonly head: Head;
  readonly at: Position;
  /** Of `at`: pins the history that the snapshot is of. */
  readonly tag: string;
  readonly after: PageKey | undefined;
  /** Names the page among all of its resource, in every snapshot. */
  readonly key: string;
}

/** How often the log may be pruned under a request before it is told to come again. */
const MAX_ATTEMPTS = 3;
const NOT_CACHED_BY_OTHERS = 'private, no-cache';

/** Answers collection requests (protocol section 5): one consistent snapshot along each chain of cursors. */
export class ListHandler {
  readonly #resource: ServedResource;
  readonly #queries: ListQueryParser;
  readonly #dependencies: ListDependencies;
  readonly #slab = new Slab();
  /** Where the first page of a kept query stands at the head. */
  readonly #firstPages = new WeakMap<ListQuery, PageAddress>();

  constructor(resource: ServedResource, dependencies: ListDependencies) {
    this.#resource = resource;
    this.#queries = new ListQueryParser(resource);
    this.#dependencies = dependencies;
  }

  /** @param principal who may read the resource: evaluated for each request, whatever is in memory */
  async answer(exchange: Exchange, principal: Principal): Promise<Reply> {
    const representation = this.#resource.negotiation.choose(exchange);
    const query = this.#queries.parse(exchange.search, representation);
    const { timeLimit } = this.#dependencies;
    const { source } = this.#resource;
    for (let attempt = 1; ; attempt += 1) {
      const sent = this.#openCursor(query, principal, exchange.nowMs);
      const head = await timeLimit.race(source.head());
      if (sent !== undefined) await this.#checkHistory(sent, head);
      const address = this.#locate(query, representation, sent, head);
      try {
        // Nothing is waited for when the page is in memory.
        const reply = this.#answerAt(exchange, address, principal);
        return reply instanceof Promise ? await reply : reply;
      } catch (error) {
        if (!(error instanceof PositionExpiredError)) throw error;
        if (query.cursor !== undefined) throw expired();
        // The log was pruned beyond the head between the look at it and the reading of the page.
        if (attempt === MAX_ATTEMPTS) throw new SourceUnavailableError(error.message, { cause: error });
      }
    }
  }

  #openCursor({ cursor, identity }: ListQuery, principal: Principal, nowMs: number): PagePlace | undefined {
    if (cursor === undefined) return undefined;
    const scope = { resource: this.#resource.descriptor.name, principal, query: identity };
    return this.#dependencies.cursors.decodePage(cursor, scope, nowMs);
  }

  /**
   * A page in memory is not read again, so the cursor is compared with the log here.
   * @throws HttpProblem invalid-cursor when the cursor is of another history
   */
  async #checkHistory({ epoch, at, tag }: PagePlace, head: Head): Promise<void> {
    const { timeLimit } = this.#dependencies;
    const present = at === head.position ? head.tag : await timeLimit.race(this.#resource.source.tagAt(at));
    if (epoch !== head.epoch || tag !== present) throw expired();
  }

  #locate(
    query: ListQuery,
    representation: ServedRepresentation,
    sent: PagePlace | undefined,
    head: Head,
  ): PageAddress {
    if (sent !== undefined) return addressOf(query, representation, head, sent);
    const known = query.isKept ? this.#firstPages.get(query) : undefined;
    if (known?.at === head.position && known.tag === head.tag && known.head.epoch === head.epoch)
      return known;
    const { position: at, tag } = head;
    const address = addressOf(query, representation, head, { at, tag, after: undefined });
    if (query.isKept) this.#firstPages.set(query, address);
    return address;
  }

  #answerAt(exchange: Exchange, address: PageAddress, principal: Principal): Awaitable<Reply> {
    const { cursors, pageCache } = this.#dependencies;
    const audience = `${principal.id} ${cursors.periodOf(exchange.nowMs)}`;
    const unchanged = unchangedEtag(exchange, address, audience, principal);
    if (unchanged !== undefined) return { status: 304, headers: headersOf(unchanged), body: null };
    const { query, key } = address;
    const isWorthKeeping = query.cursor === undefined ? query.isKept : pageCache?.recognises(key) === true;
    const cache = isWorthKeeping ? pageCache : undefined;
    const ready = cache?.ready(key, audience);
    exchange.pageCache = ready === undefined ? 'miss' : 'hit';
    if (ready !== undefined) return replyOf(ready, address);
    return andThen(cache?.rows(key) ?? this.#read(address), (rows) => {
      const member = this.#encodeMember(exchange, address, rows, principal);
      const etag = rows.next === undefined ? etagOfLastPage(key, principal) : etagOfPage(key, audience);
      if (cache === undefined)
        return replyOf({ bytes: encodeCollection(rows, member, this.#slab), etag }, address);
      const page = { bytes: encodeCollection(rows, member), etag };
      cache.put(key, audience, rows, page);
      return replyOf(page, address);
    });
  }

  async #read(address: PageAddress): Promise<PageRows> {
    const { query, representation, at, tag, after } = address;
    const { filter, sort, limit, fields } = query;
    const { source } = this.#resource;
    const request = { at, tag, filter, sort, after, limit };
    const { bodies, next } = await this.#dependencies.timeLimit.race(source.page(request));
    return { items: representBodies(bodies, representation.render, fields), next };
  }

  #encodeMember(
    exchange: Exchange,
    { query, head: { epoch }, at, tag }: PageAddress,
    { next }: PageRows,
    principal: Principal,
  ): string {
    const { cursors } = this.#dependencies;
    const { name: resource, events } = this.#resource.descriptor;
    const scope = { resource, principal, query: query.identity };
    const nextCursor =
      next === undefined
        ? undefined
        : cursors.encodePage({ epoch, at, tag, after: next }, scope, exchange.nowMs);
    if (nextCursor !== undefined) checkNextUrlLength(exchange, nextCursor);
    return encodePageMember(
      nextCursor,
      events.length === 0
        ? undefined
        : cursors.encodeEvent({ epoch, position: at, tag }, resource, principal),
    );
  }
}

function addressOf(
  query: ListQuery,
  representation: ServedRepresentation,
  head: Head,
  { at, tag, after }: Pick<PageAddress, 'at' | 'tag' | 'after'>,
): PageAddress {
  const place = after === undefined ? '' : JSON.stringify([after.id, after.values]);
  const key = `${query.key} ${head.epoch} ${at} ${tag} ${place}`;
  return { query, representation, head, at, tag, after, key };
}

/** The validator that the client already has, if it is one of the two that the page can have now. */
function unchangedEtag(
  exchange: Exchange,
  { key }: PageAddress,
  audience: string,
  principal: Principal,
): string | undefined {
  const ifNoneMatch = exchange.c.req.header('if-none-match');
  if (ifNoneMatch === undefined) return undefined;
  const etags = [etagOfPage(key, audience), etagOfLastPage(key, principal)];
  return etags.find((etag) => matchesEtag(ifNoneMatch, etag));
}

function replyOf({ bytes, etag }: ReadyPage, { representation }: PageAddress): Reply {
  const headers = { ...headersOf(etag), 'Content-Type': representation.mediaType };
  return { status: 200, headers, body: bytes };
}

function headersOf(etag: string): Record<string, string> {
  return { 'Cache-Control': NOT_CACHED_BY_OTHERS, ETag: etag, Vary: 'Accept, Authorization' };
}

/** Changes with the period in which the page's cursor was made: a page confirmed by 304 holds none about to expire. */
function etagOfPage(key: string, audience: string): string {
  return weakEtag(`${key} ${audience}`);
}

/** The last page of a chain has no cursor, so its validator lasts as long as the snapshot. */
function etagOfLastPage(key: string, principal: Principal): string {
  return weakEtag(`${key} ${principal.id}`);
}

function weakEtag(text: string): string {
  return `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
}

function expired(): HttpProblem {
  return HttpProblem.of('invalid-cursor', 'The cursor has expired: start again without it.');
}
