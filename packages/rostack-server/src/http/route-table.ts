import { DISCOVERY_PATH } from 'rostack-core';
import type { RequestOperation } from '../options/http-hooks.ts';
import type { Exchange, Reply } from './exchange.ts';
import type { ItemMatcher } from './item-matcher.ts';

/** What answers the requests for one path. */
export interface Route {
  readonly operation: RequestOperation;
  readonly resource: string | undefined;
  /** Whether everybody is answered; else `answer` finds out who asks, and counts the request. */
  readonly isPublic: boolean;
  answer(exchange: Exchange, id: string): Promise<Reply>;
}

/** Finds routes by the paths that the implementation's own URLs and templates have (RFC 6570). */
export class RouteTable {
  readonly #exact = new Map<string, Route>();
  readonly #items: { readonly matcher: ItemMatcher; readonly route: Route }[] = [];

  /** Adds a document or a collection at the path of its URL. @throws RangeError when the path is taken */
  addUrl(url: string, route: Route): void {
    this.#addPath(new URL(url).pathname, route);
  }

  /** The discovery document answers at its advertised URL and at the well-known path. */
  addDiscovery(url: string, route: Route): void {
    for (const path of new Set([new URL(url).pathname, DISCOVERY_PATH])) this.#addPath(path, route);
  }

  /** Adds the items that a URL template makes. @throws RangeError when it has no id */
  addItems(matcher: ItemMatcher, route: Route): void {
    this.#items.push({ matcher, route });
  }

  /** @param path percent-encoded */
  find(path: string): { readonly route: Route; readonly id: string } | undefined {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return { route: exact, id: '' };
    for (const { matcher, route } of this.#items) {
      const id = matcher.match(path);
      if (id !== undefined) return { route, id };
    }
    return undefined;
  }

  #addPath(path: string, route: Route): void {
    if (this.#exact.has(path)) throw new RangeError(`two URLs have the path ${path}`);
    this.#exact.set(path, route);
  }
}

/** Path below which every URL belongs to the JSON API, ending with a slash. */
export function apiPathOf(url: string): string {
  const { pathname } = new URL(url);
  return pathname.endsWith('/') ? pathname : `${pathname}/`;
}
