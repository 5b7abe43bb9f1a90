import { formatPointer, jsonEquals } from 'rostack-core';
import type { Check } from '../../check/check.ts';
import type { CheckContext } from '../../check/check-context.ts';
import { describeAnswer } from '../../probe/judge-problem.ts';
import { listUrl } from '../../probe/place/urls.ts';
import { type Chain, type ListParameters, largestLimit, readChain } from './sample/chain.ts';
import { judgeRefusal } from './sample/judge-refusal.ts';
import { keyOf, type Sample, samplesOf, samplesWith } from './sample/sample.ts';

const SNAPSHOT = 'json.page.snapshot';
const CONSTANT = 'json.page.event-cursor-constant';
const ANY_QUERY = 'json.page.event-cursor-any-query';
const NEXT = 'json.page.next-cursor';

/** How many pages of the small chains are read. */
const SMALL_CHAIN_PAGES = 6;

/** Chains of small pages, and what each page says about itself. */
export const pageChains: Check = {
  name: 'reads.pages.chains',
  level: 'reads',
  requirements: [SNAPSHOT, CONSTANT, NEXT, 'json.methods.get', ANY_QUERY],
  needs: ['token'],
  async run(context) {
    for (const resource of context.discovery.resources) {
      const response = await context.http.get(listUrl(resource, {}), { token: context.tokens.main });
      if (response.status === 403) continue;
      context.findings.judge('json.methods.get', response.status === 200, () => ({
        expected: `GET of the list of ${resource.name} is answered with 200.`,
        got: describeAnswer(response),
        exchange: response.exchange,
      }));
    }
    for (const sample of await samplesWith(context, 2)) {
      await tryChains(context, sample);
      await tryAnyQuery(context, sample);
    }
  },
};

async function tryChains(context: CheckContext, sample: Sample): Promise<void> {
  const { findings } = context;
  const size = Math.max(1, Math.ceil(Math.min(sample.items.length, 60) / (SMALL_CHAIN_PAGES - 1)));
  const limit = String(Math.min(size, largestLimit(context)));
  const small = await readChain(context, sample.resource, { limit }, { maxPages: SMALL_CHAIN_PAGES });
  if (small.broken !== undefined) {
    findings.fail(NEXT, {
      ...small.broken,
      expected: `Every page of a chain can be read. ${small.broken.expected}`,
    });
    return;
  }
  judgeOnce(context, small);
  judgeCursors(context, sample, small);
  await judgeAgain(context, sample, small, limit);
  const [sort] = sample.resource.filtering.sortable_fields;
  if (sort === undefined) return;
  const sorted = await readChain(context, sample.resource, { limit, sort }, { maxPages: SMALL_CHAIN_PAGES });
  if (sorted.broken === undefined) {
    judgeOnce(context, sorted);
    judgeCursors(context, sample, sorted);
  }
}

/** A list has its position in the events of the resource, whatever the query. */
async function tryAnyQuery(context: CheckContext, { resource, items: [first] }: Sample): Promise<void> {
  if (resource.events.length === 0) return;
  const [sort] = resource.filtering.sortable_fields;
  const field = Object.entries(resource.filtering.filterable_fields).find(([, operators]) =>
    operators.includes('eq'),
  );
  const [name] = Object.keys(first ?? {});
  const queries: readonly ListParameters[] = [
    { limit: '1' },
    ...(sort === undefined ? [] : [{ sort }]),
    ...(name === undefined ? [] : [{ fields: formatPointer([name]) }]),
    ...(field === undefined ? [] : [{ filter: JSON.stringify({ [field[0]]: { eq: null } }) }]),
  ];
  for (const parameters of queries) {
    const { pages } = await readChain(context, resource, parameters, { maxPages: 1 });
    const [page] = pages;
    if (page === undefined) continue;
    context.findings.judge(ANY_QUERY, page.page.event_cursor !== undefined, () => ({
      expected: `A list with ${Object.keys(parameters).join()} has an event_cursor, as any list of the resource.`,
      got: 'There is none.',
      exchange: page.response.exchange,
    }));
  }
}

/** No record may come twice. */
function judgeOnce({ findings }: CheckContext, chain: Chain): void {
  const keys = chain.items.map(keyOf);
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  findings.judge(SNAPSHOT, twice === undefined, () => ({
    expected: 'A chain lists every record once.',
    got: `${twice} is listed twice.`,
    exchange: chain.pages.at(-1)?.response.exchange,
  }));
}

function judgeCursors({ findings }: CheckContext, { resource }: Sample, { pages }: Chain): void {
  for (const { page, response } of pages) {
    findings.judge(NEXT, (page.next_cursor !== null) === page.has_more, () => ({
      expected: 'has_more says whether there is a next_cursor.',
      got: `next_cursor is ${JSON.stringify(page.next_cursor)}, has_more is ${page.has_more}.`,
      exchange: response.exchange,
    }));
  }
  if (resource.events.length === 0) return;
  const [first] = pages;
  const other = pages.find(({ page }) => page.event_cursor !== first?.page.event_cursor);
  findings.judge(CONSTANT, other === undefined, () => ({
    expected: `event_cursor is ${first?.page.event_cursor} on every page of the chain.`,
    got: `${other?.page.event_cursor} on another page.`,
    exchange: other?.response.exchange,
  }));
}

/** Requesting a page again gives the same page. */
async function judgeAgain(
  context: CheckContext,
  sample: Sample,
  { pages }: Chain,
  limit: string,
): Promise<void> {
  const [first, second] = pages;
  const cursor = first?.page.next_cursor;
  if (second === undefined || typeof cursor !== 'string') return;
  const again = await readChain(context, sample.resource, { limit, cursor }, { maxPages: 1 });
  context.findings.judge(SNAPSHOT, jsonEquals(again.items, second.items), () => ({
    expected: 'A page that is asked for again by its cursor holds the same records.',
    got: again.broken?.got ?? 'Other records.',
    exchange: again.broken?.exchange ?? again.pages[0]?.response.exchange,
  }));
}

const LIMIT = 'json.query.limit';
const ABOVE = 'decided.limit.above';
const DEFAULT = 'decided.limit.default';
const PARAMETERS = 'decided.parameters';
const MALFORMED = 'err.http.type.invalid-request';

/** Limits within and beyond the bounds, and parameters that are unknown or repeated. */
export const listParameters: Check = {
  name: 'reads.pages.parameters',
  level: 'reads',
  requirements: [LIMIT, ABOVE, DEFAULT, PARAMETERS, MALFORMED],
  needs: ['token'],
  async run(context) {
    const { max_page_size: max } = context.discovery.capabilities;
    for (const sample of await samplesOf(context)) {
      await tryLimit(context, sample, 1);
      await tryLimit(context, sample, Math.min(max, 2));
      await tryLimit(context, sample, max);
      await tryDefault(context, sample, Math.min(50, max));
      for (const limit of ['0', '-1', 'ten', '1.5', '']) {
        await tryMalformed(context, sample, `limit=${limit}`, [LIMIT]);
      }
      await tryMalformed(context, sample, `limit=${max + 1}`, [ABOVE]);
      await tryMalformed(context, sample, 'no-such-parameter=1', [PARAMETERS]);
      await tryMalformed(context, sample, 'limit=1&limit=1', [PARAMETERS]);
    }
  },
};

async function tryLimit(
  context: CheckContext,
  { resource, items, isWhole }: Sample,
  limit: number,
): Promise<void> {
  const chain = await readChain(context, resource, { limit: String(limit) }, { maxPages: 1 });
  const wanted = Math.min(limit, items.length);
  const isKept =
    chain.broken === undefined &&
    chain.items.length <= limit &&
    // If records come and go, a page may be shorter than requested.
    (chain.items.length === wanted || chain.isWhole || !isWhole);
  context.findings.judge(LIMIT, isKept, () => ({
    expected: `A limit of ${limit} gives a page of at most ${limit} records, and of as many where there are more.`,
    got: chain.broken?.got ?? `${chain.items.length} records.`,
    exchange: chain.broken?.exchange ?? chain.pages[0]?.response.exchange,
  }));
}

async function tryDefault(context: CheckContext, { resource, items }: Sample, wanted: number): Promise<void> {
  const chain = await readChain(context, resource, {}, { maxPages: 1 });
  if (chain.broken !== undefined || items.length <= wanted) return;
  context.findings.judge(DEFAULT, chain.items.length === wanted, () => ({
    expected: `Without a limit a page has ${wanted} records.`,
    got: `${chain.items.length} records.`,
    exchange: chain.pages[0]?.response.exchange,
  }));
}

async function tryMalformed(
  context: CheckContext,
  { resource }: Sample,
  query: string,
  ids: readonly string[],
): Promise<void> {
  const url = listUrl(resource, {});
  const response = await context.http.get(`${url}${url.includes('?') ? '&' : '?'}${query}`, {
    token: context.tokens.main,
  });
  if (query === 'limit=' && response.status === 200) {
    // The specification does not say whether an empty parameter is one.
    context.findings.note(LIMIT, 'An empty limit counts as none.');
    return;
  }
  judgeRefusal(context, ids, response, 'invalid-request', `The query ${query}`);
}
