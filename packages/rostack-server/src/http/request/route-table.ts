import { createUriMatcher, DISCOVERY_PATH, parseUriTemplate } from 'rostack-core';
import type { RequestOperation } from '../../options/http-hooks.ts';
import type { Exchange, Reply } from './exchange.ts';
import { originOf } from './hosts.ts';

/** simple expansion of the id alone, the usual form of template: others take ten times as long to match */
const SIMPLE_PATH = /^([^{}]*)\{id\}([^{}]*)$/;
/** the result of simple expansion, and the characters that it need not encode (RFC 6570 section 3.2.2) */
const ENCODED_ID = /^(?:[\w.~!'()*,-]|%[0-9A-Fa-f]{2})+$/;
/** literal `name={id}` in the query of a template */
const LITERAL_ID_PARAMETER = /[?&]([^?&={}]+)=\{id\}/;
/** `{?a,id}` and `{&a,id}`: form-style expansion, in which the parameter has the variable's name (RFC 6570 section 3.2.8) */
const EXPANDED_ID_PARAMETER = /\{[?&](?:[^{}]*,)?id(?:,[^{}]*)?\}/;

/** Extracts the id from URLs that match an item URL template. */
export class ItemMatcher {
  /** Name of the query parameter with the id; undefined if the id is in the path. */
  readonly idParameter: string | undefined;
  readonly #matchPath: (path: string) => string | undefined;

  /** @throws RangeError if the template has `{id}` neither in its path nor as a query parameter */
  constructor(template: string) {
    const pathAndQuery = template.slice(originOf(template).length);
    const queryStart = pathAndQuery.search(/\{[?&]|\?/);
    const path = queryStart === -1 ? pathAndQuery : pathAndQuery.slice(0, queryStart);
    const query = queryStart === -1 ? '' : pathAndQuery.slice(queryStart);
    const pathTemplate = parseUriTemplate(path);
    const [, front, end = ''] = SIMPLE_PATH.exec(path) ?? [];
    if (front !== undefined) {
      this.#matchPath = matchBetween(parseUriTemplate(front).expand({}), parseUriTemplate(end).expand({}));
      return;
    }
    if (pathTemplate.variables.includes('id')) {
      const match = createUriMatcher(path);
      this.#matchPath = (text) => idOf(match(text));
      return;
    }
    this.idParameter = EXPANDED_ID_PARAMETER.test(query) ? 'id' : LITERAL_ID_PARAMETER.exec(query)?.[1];
    if (this.idParameter === undefined) throw new RangeError(`the item URL template ${template} has no {id}`);
    const fixedPath = pathTemplate.expand({});
    this.#matchPath = (text) => (text === fixedPath ? '' : undefined);
  }

  /** The id in a percent-encoded path (empty if the query has it), or undefined if the path is not an item's. */
  match(path: string): string | undefined {
    return this.#matchPath(path);
  }
}

function matchBetween(front: string, end: string): (path: string) => string | undefined {
  return (path) => {
    if (!path.startsWith(front) || !path.endsWith(end)) return undefined;
    const encoded = path.slice(front.length, path.length - end.length);
    if (!ENCODED_ID.test(encoded)) return undefined;
    if (!encoded.includes('%')) return encoded;
    try {
      return decodeURIComponent(encoded);
    } catch {
      return undefined;
    }
  };
}

/** A comma that was not encoded is parsed as a list with one value per part: it still belongs to the id. */
function idOf(values: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const value = values?.id;
  const id = Array.isArray(value) ? value.join(',') : value;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Answers the requests for one path. */
export interface Route {
  readonly operation: RequestOperation;
  readonly resource: string | undefined;
  /** Whether requests need no credentials; otherwise `answer` authenticates the sender and counts the request. */
  readonly isPublic: boolean;
  answer(exchange: Exchange, id: string): Promise<Reply>;
}

/** Finds routes by path, as given by the implementation's URLs and templates (RFC 6570). */
export class RouteTable {
  readonly #exact = new Map<string, Route>();
  readonly #items: { readonly matcher: ItemMatcher; readonly route: Route }[] = [];

  /** Adds a document or a collection at the path of its URL. @throws RangeError if the path is taken */
  addUrl(url: string, route: Route): void {
    this.#addPath(new URL(url).pathname, route);
  }

  /** Adds the discovery document at its advertised URL and at the well-known path. */
  addDiscovery(url: string, route: Route): void {
    for (const path of new Set([new URL(url).pathname, DISCOVERY_PATH])) this.#addPath(path, route);
  }

  /** Adds the items of a URL template. @throws RangeError if it has no id */
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
