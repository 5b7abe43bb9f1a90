import {
  type Collection,
  type CollectionError,
  hasCode,
  type JsonObject,
  parseCollection,
  type Resource,
} from 'rostack-core';
import type { CheckContext } from '../../../check/check-context.ts';
import type { Failure } from '../../../check/findings.ts';
import type { ProbeRequest, ProbeResponse } from '../../../probe/http/http-probe.ts';
import { listUrl } from '../../../probe/place/urls.ts';

/** The standard parameters of a list, as texts. */
export type ListParameters = Readonly<
  Partial<Record<'filter' | 'sort' | 'fields' | 'limit' | 'cursor', string>>
>;

/** One page of a list, as received. */
export interface AnsweredPage extends Collection {
  readonly response: ProbeResponse;
}

/** The pages of a list, from the first one on. */
export interface Chain {
  readonly pages: readonly AnsweredPage[];
  readonly items: readonly JsonObject[];
  /** Whether the last page was reached. */
  readonly isWhole: boolean;
  /** Why a page could not be read, if one could not. */
  readonly broken?: Failure;
}

/** How to read a chain. */
export interface ChainOptions extends Pick<ProbeRequest, 'token' | 'headers'> {
  /** @default 40 */
  readonly maxPages?: number;
}

/** The largest page that is requested, to keep answers readable in reports. */
export const LARGE_PAGE = 200;

const MAX_PAGES = 40;

/** The largest `limit` that the kit uses for a target. */
export const largestLimit = ({ discovery }: Pick<CheckContext, 'discovery'>): number =>
  Math.min(discovery.capabilities.max_page_size, LARGE_PAGE);

/** Reads a list page by page. It never throws because of the target's answers. */
export async function readChain(
  context: CheckContext,
  resource: Resource,
  parameters: ListParameters,
  { maxPages = MAX_PAGES, token = context.tokens.main, headers = {} }: ChainOptions = {},
): Promise<Chain> {
  const pages: AnsweredPage[] = [];
  let cursor: string | undefined;
  for (;;) {
    const url = listUrl(resource, cursor === undefined ? parameters : { ...parameters, cursor });
    const response = await context.http.get(url, { token, headers });
    const page = pageOf(response, resource);
    if ('broken' in page) return { ...chainOf(pages), isWhole: false, broken: page.broken };
    pages.push({ ...page.collection, response });
    const next = page.collection.page.next_cursor;
    if (next === null) return chainOf(pages);
    if (pages.length >= maxPages) return { ...chainOf(pages), isWhole: false };
    cursor = next;
  }
}

const chainOf = (pages: readonly AnsweredPage[]): Chain => ({
  pages,
  items: pages.flatMap(({ items }) => items),
  isWhole: true,
});

function pageOf(
  { status, json, exchange }: ProbeResponse,
  resource: Resource,
): { readonly collection: Collection } | { readonly broken: Failure } {
  const expected = `A list of ${resource.name}: status 200, and an object with items and page.`;
  if (status !== 200) return { broken: { expected, got: `Status ${status}.`, exchange } };
  try {
    // Whether a page has its event cursor is judged separately.
    return { collection: parseCollection(json, { events: [] }) };
  } catch (error) {
    if (!hasCode<CollectionError>(error, 'invalid_collection')) throw error;
    const faults = error.faults.map(({ path, message }) => `${path} ${message}`).join('; ');
    return { broken: { expected, got: `A body of another shape: ${faults}.`, exchange } };
  }
}
