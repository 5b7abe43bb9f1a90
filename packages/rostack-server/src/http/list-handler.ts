import { hash } from 'node:crypto';
import {
  type Head,
  matchesEtag,
  type PageKey,
  type Position,
  PositionExpiredError,
  type Principal,
  SourceUnavailableError,
} from 'rostack-core';
import {
  encodeCollection,
  encodePageMember,
  encodeRows,
  type PageRows,
  representRecord,
} from './collection-page.ts';
import type { Cursors } from './cursors.ts';
import type { Exchange, Reply } from './exchange.ts';
import { HttpProblem } from './http-problem.ts';
import { type ListQuery, ListQueryParser } from './list-query.ts';

import type { PageCache } from './page-cache.ts';
import type { ServedRepresentation, ServedResource } from './served-resource.ts';
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

  constructor(resource: ServedResource, dependencies: ListDependencies) {
    this.#resource = resource;
    this.#queries = new ListQueryParser(resource);
    this.#dependencies = dependencies;
  }

  /** @param principal who may read the resource: evaluated for each request, whatever is in memory */
  async answer(exchange: Exchange, principal: Principal): Promise<Reply> {
    const representation = this.#resource.negotiation.choose(exchange);
    const query = this.#queries.parse(exchange.search, representation);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#answerNow(exchange, query, representation, principal);
      } catch (error) {
        if (!(error instanceof PositionExpiredError)) throw error;
        // The log was pruned beyond the head between the look at it and the reading of the page.
        if (attempt === MAX_ATTEMPTS) throw new SourceUnavailableError(error.message, { cause: error });
      }
    }
  }

  async #answerNow(
    exchange: Exchange,
    query: ListQuery,
    representation: ServedRepresentation,
    principal: Principal,
  ): Promise<Reply> {
    const address = await this.#locate(query, representation, principal, exchange.nowMs);
    const audience = `${principal.id} ${this.#dependencies.cursors.periodOf(exchange.nowMs)}`;
    const unchanged = this.#unchanged(exchange, address, audience, principal);
    if (unchanged !== undefined) return { status: 304, headers: headersOf(unchanged), body: null };
    const page = await this.#page(exchange, address, audience, principal);
    const headers = { ...headersOf(page.etag), 'Content-Type': representation.mediaType };
    return { status: 200, headers, body: page.body };
  }

  /** The validator that the client already has, if it is one of the two that the page can have now. */
  #unchanged(
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

  async #locate(
    query: ListQuery,
    representation: ServedRepresentation,
    principal: Principal,
    nowMs: number,
  ): Promise<PageAddress> {
    const { cursors, timeLimit } = this.#dependencies;
    const { source, descriptor } = this.#resource;
    const sent =
      query.cursor === undefined
        ? undefined
        : cursors.decodePage(
            query.cursor,
            { resource: descriptor.name, principal, query: query.identity },
            nowMs,
          );
    const head = await timeLimit.race(source.head());
    if (sent !== undefined && sent.epoch !== head.epoch) throw expired();
    const at = sent?.at ?? head.position;
    const after = sent?.after;
    const place = after === undefined ? '' : JSON.stringify([after.id, after.values]);
    const key = `${query.key} ${head.epoch} ${at} ${place}`;
    return { query, representation, head, at, after, key };
  }

  async #page(
    exchange: Exchange,
    address: PageAddress,
    audience: string,
    principal: Principal,
  ): Promise<{ readonly body: NonNullable<Reply['body']>; readonly etag: string }> {
    const { pageCache } = this.#dependencies;
    const ready = pageCache?.ready(address.key, audience);
    exchange.pageCache = ready === undefined ? 'miss' : 'hit';
    if (ready !== undefined) return { body: ready.bytes, etag: ready.etag };
    const rows = pageCache?.rows(address.key) ?? (await this.#read(address));
    const member = this.#encodeMember(address, rows, principal, exchange.nowMs);
    const bytes = encodeCollection(rows, member);
    const etag =
      rows.next === undefined ? etagOfLastPage(address.key, principal) : etagOfPage(address.key, audience);
    if (pageCache?.admits(address.key) === true) pageCache.put(address.key, audience, rows, { bytes, etag });
    return { body: bytes, etag };
  }

  async #read({ query, representation, head, at, after }: PageAddress): Promise<PageRows> {
    const { filter, sort, limit, fields } = query;
    const { source } = this.#resource;
    const { timeLimit } = this.#dependencies;
    const request = { at, filter, sort, after, limit };
    try {
      if (representation.render === undefined && fields === undefined && source.joinedPage !== undefined) {
        const joined = await timeLimit.race(source.joinedPage(request, head));
        if (joined !== undefined) return { items: joined.bodies, next: joined.next };
      }
      const page = await timeLimit.race(source.page(request));
      return encodeRows(
        page.records,
        (body) => representRecord(body, representation.render, fields),
        page.next,
      );
    } catch (error) {
      if (error instanceof PositionExpiredError && query.cursor !== undefined) throw expired();
      throw error;
    }
  }

  #encodeMember(
    { query, head: { epoch }, at }: PageAddress,
    { next }: PageRows,
    principal: Principal,
    nowMs: number,
  ): string {
    const { cursors } = this.#dependencies;
    const { name: resource, events } = this.#resource.descriptor;
    const scope = { resource, principal, query: query.identity };
    return encodePageMember(
      next === undefined ? undefined : cursors.encodePage({ epoch, at, after: next }, scope, nowMs),
      events.length === 0 ? undefined : cursors.encodeEvent({ epoch, position: at }, resource, principal),
    );
  }
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
