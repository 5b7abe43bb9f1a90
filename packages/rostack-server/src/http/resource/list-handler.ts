import { hash } from 'node:crypto';
import {
  type Head,
  isPositionExpired,
  matchesEtag,
  type Page,
  type Principal,
  SourceUnavailableError,
  type Visibility,
  visibleFilter,
} from 'rostack-core';
import { HttpProblem } from '../problem/http-problem.ts';
import type { Exchange, Reply } from '../request/exchange.ts';
import { checkNextUrlLength } from '../request/request-rules.ts';
import type { Route } from '../request/route-table.ts';
import type { Access } from './access.ts';
import { type ListQuery, parseListQuery } from './list-query.ts';
import type { Cursors, PageCursorState } from './page-cursor-seal.ts';
import { encodeCollection, type PageCache, type ReadyPage } from './ready-page.ts';
import type { ServedRepresentation, ServedResource } from './served-resource.ts';

export interface ListDependencies {
  readonly access: Access;
  readonly cursors: Cursors;
  readonly pageCache: PageCache | undefined;
}

/** The sender of a request, and what it may see. */
interface Viewer {
  readonly principal: Principal;
  readonly visibility: Visibility;
}

const NO_BODIES = new Uint8Array();

/** How long a cache may return a shared first page without revalidating: clients replay the changes since. */
const FIRST_PAGE_SHARED_S = 5;
/** Later pages never change. Their next cursor lives for at least 15 minutes, so it stays valid for five more. */
const LATER_PAGE_S = 600;
/** How often the log may be pruned while a first page is read before the client is asked to retry. */
const MAX_ATTEMPTS = 3;

/** Answers collection requests (protocol section 5): one consistent snapshot along each chain of cursors. */
export class ListHandler implements Route {
  readonly operation = 'list';
  readonly resource: string;
  readonly isPublic = false;
  readonly #resource: ServedResource;
  readonly #dependencies: ListDependencies;
  readonly #isShared: boolean;
  /** Reads in progress, by page and by the head seen before them: their results are at least as new. */
  readonly #readings = new Map<string, Promise<ReadyPage>>();

  /** @param isShared whether a cache may return the lists to all clients that see the same */
  constructor(resource: ServedResource, dependencies: ListDependencies, isShared: boolean) {
    this.resource = resource.descriptor.name;
    this.#resource = resource;
    this.#dependencies = dependencies;
    this.#isShared = isShared;
  }

  async answer(exchange: Exchange): Promise<Reply> {
    // Evaluated for each request, even if the page is cached.
    const principal = await this.#dependencies.access.authorizeRead(exchange, this.#resource);
    const representation = this.#resource.chooseFor(exchange, principal);
    const period = this.#dependencies.cursors.periodOf(exchange.nowMs);
    const viewer = { principal, visibility: this.#resource.visibilityFor(principal) };
    const key = [
      this.resource,
      representation.mediaType,
      principal.id,
      viewer.visibility.digest,
      this.#resource.fieldRightsOf(principal),
      period,
      exchange.search,
    ].join('\n');
    const page = await this.#findPage(key, exchange, () =>
      this.#makePage(exchange, representation, viewer, key),
    );
    const headers = {
      'Cache-Control': pageCaching(this.#isShared, page.isLater),
      ETag: page.etag,
      Vary: 'Accept, Authorization',
    };
    const ifNoneMatch = exchange.c.req.header('if-none-match');
    if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, page.etag))
      return { status: 304, headers, body: null };
    return {
      status: 200,
      headers: { ...headers, 'Content-Type': representation.mediaType },
      body: page.bytes,
    };
  }

  /** The cached page if the head has not moved; otherwise a new one, whose read is shared by requests that saw the same head. */
  async #findPage(key: string, exchange: Exchange, make: () => Promise<ReadyPage>): Promise<ReadyPage> {
    exchange.pageCache = 'miss';
    const kept = this.#dependencies.pageCache?.get(key);
    if (kept === undefined) return make();
    const head = await this.#resource.source.head();
    if (isSameState(head, kept.head)) {
      exchange.pageCache = 'hit';
      exchange.pageCacheBytes = this.#dependencies.pageCache?.bytes ?? 0;
      return kept;
    }
    const readingKey = `${key}\n${head.epoch} ${head.position} ${head.tag}`;
    let reading = this.#readings.get(readingKey);
    if (reading === undefined) {
      reading = make().finally(() => this.#readings.delete(readingKey));
      this.#readings.set(readingKey, reading);
    }
    return reading;
  }

  async #makePage(
    exchange: Exchange,
    representation: ServedRepresentation,
    { principal, visibility }: Viewer,
    key: string,
  ): Promise<ReadyPage> {
    const { cursors, pageCache } = this.#dependencies;
    const query = parseListQuery(exchange.search, this.#resource, representation);
    this.#resource.checkFields(principal, query);
    const { name: resource, events } = this.#resource.descriptor;
    const scope = { resource, principal, rows: visibility.digest, query: query.identity };
    const sent =
      query.cursor === undefined ? undefined : cursors.decodePage(query.cursor, scope, exchange.nowMs);
    const { head, bodies, next } = await this.#read(query, sent, visibility);
    const { epoch } = head;
    const { at, tag } = sent ?? { at: head.position, tag: head.tag };
    const nextCursor = next && cursors.encodePage({ epoch, at, tag, after: next }, scope, exchange.nowMs);
    if (nextCursor !== undefined) checkNextUrlLength(exchange, nextCursor);
    const eventCursor =
      events.length === 0
        ? undefined
        : cursors.encodeEvent({ epoch, position: at, tag }, scope, this.#resource.history.positions);
    const shown = representation.representAll(bodies, query.fields);
    const page = {
      head,
      isLater: sent !== undefined,
      bytes: encodeCollection(shown, nextCursor, eventCursor),
      etag: weakEtag([
        resource,
        representation.mediaType,
        query.limit,
        query.identity,
        epoch,
        at,
        tag,
        sent?.after,
        principal.id,
        visibility.digest,
        // The state stays the same while another start may bring another renderer.
        representation.isMade ? hash('sha256', shown, 'base64url') : undefined,
        // A page confirmed by 304 must not contain a cursor about to expire; the last page has none.
        nextCursor === undefined ? undefined : cursors.periodOf(exchange.nowMs),
      ]),
    };
    if (sent === undefined) pageCache?.put(key, page, cursors.periodOf(exchange.nowMs));
    exchange.pageCacheBytes = pageCache?.bytes ?? 0;
    return page;
  }

  /** @throws HttpProblem invalid-cursor if the log no longer has the cursor's history */
  async #read(
    { filter: asked, sort, limit }: ListQuery,
    sent: PageCursorState | undefined,
    visibility: Visibility,
  ): Promise<Page> {
    const { source } = this.#resource;
    if (visibility.kind === 'none') return { head: await source.head(), bodies: NO_BODIES, next: undefined };
    const filter = visibleFilter(visibility, asked);
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (sent !== undefined) {
          const { epoch, at: position, tag } = sent;
          await source.waitForPosition?.({ epoch, position, tag });
        }
        const query = { at: sent?.at, tag: sent?.tag, filter, sort, after: sent?.after, limit };
        const page = await source.page(query);
        if (sent !== undefined && sent.epoch !== page.head.epoch) throw expired();
        return page;
      } catch (error) {
        if (!isPositionExpired(error)) throw error;
        if (sent !== undefined) throw expired();
        if (attempt === MAX_ATTEMPTS) throw new SourceUnavailableError(error.message, { cause: error });
      }
    }
  }
}

function isSameState(head: Head, other: Head): boolean {
  return head.position === other.position && head.tag === other.tag && head.epoch === other.epoch;
}

function weakEtag(parts: readonly unknown[]): string {
  return `W/"${hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22)}"`;
}

function expired(): HttpProblem {
  return HttpProblem.of('invalid-cursor', 'The cursor has expired: start again without it.');
}

/** `Cache-Control` of a page. @see RFC 9111 section 5.2.2, RFC 8246 */
function pageCaching(isShared: boolean, isLater: boolean): string {
  if (!isShared) return isLater ? `private, max-age=${LATER_PAGE_S}, immutable` : 'private, no-cache';
  return isLater
    ? `max-age=${LATER_PAGE_S}, s-maxage=${LATER_PAGE_S}, immutable`
    : `max-age=0, must-revalidate, s-maxage=${FIRST_PAGE_SHARED_S}`;
}
