import { type JsonObject, jsonEquals, type Resource } from 'rostack-core';
import type { Check } from '../../check/check.ts';
import type { CheckContext } from '../../check/check-context.ts';
import { listUrl } from '../../probe/place/urls.ts';
import { type ListParameters, readChain } from './sample/chain.ts';
import { judgeRefusal } from './sample/judge-refusal.ts';
import { type Sample, samplesWith } from './sample/sample.ts';

const CURSOR = 'json.query.cursor';
const INVALID = 'err.http.type.invalid-cursor';
const SEALED = 'decided.page-cursor.sealed';
const BOUND = 'decided.page-cursor.bound';
const OTHER_LIMIT = 'decided.page-cursor.limit';

/** Cursors that are altered, or used for queries that they do not belong to. */
export const pageCursors: Check = {
  name: 'reads.pages.cursors',
  level: 'reads',
  requirements: [CURSOR, INVALID, SEALED, BOUND, OTHER_LIMIT],
  needs: ['token'],
  async run(context) {
    const samples = await samplesWith(context, 3);
    for (const sample of samples) {
      const { resource } = sample;
      const page = await firstPage(context, resource);
      if (page === undefined) continue;
      await tryUse(context, resource, 'A string that is not a cursor', { cursor: 'no-cursor' }, CURSOR);
      await tryUse(context, resource, 'An empty cursor', { cursor: '' }, CURSOR);
      for (const [what, cursor] of altered(page.next, context.random)) {
        await tryUse(context, resource, what, { limit: '1', cursor }, SEALED);
      }
      if (page.event !== undefined) {
        await tryUse(context, resource, 'An event cursor', { cursor: page.event }, CURSOR);
      }
      for (const [what, parameters, id] of otherQueries(resource, page.items)) {
        await tryUse(context, resource, what, { limit: '1', cursor: page.next, ...parameters }, id);
      }
      for (const other of samples.filter((each) => each !== sample).slice(0, 2)) {
        const use = { limit: '1', cursor: page.next };
        await tryUse(context, other.resource, `A cursor of ${resource.name}`, use, CURSOR);
      }
      await tryOtherLimit(context, sample, page.next);
    }
  },
};

/** A page with more after it. */
interface FirstPage {
  readonly next: string;
  readonly event: string | undefined;
  readonly items: readonly JsonObject[];
}

async function firstPage(
  context: CheckContext,
  resource: Resource,
  token: string | undefined = context.tokens.main,
): Promise<FirstPage | undefined> {
  const { pages } = await readChain(context, resource, { limit: '1' }, { maxPages: 1, token });
  const [first] = pages;
  const next = first?.page.next_cursor;
  return typeof next === 'string'
    ? { next, event: first?.page.event_cursor, items: first?.items ?? [] }
    : undefined;
}

async function tryUse(
  context: CheckContext,
  resource: Resource,
  what: string,
  parameters: ListParameters,
  id: string,
): Promise<void> {
  const response = await context.http.get(listUrl(resource, parameters), { token: context.tokens.main });
  judgeRefusal(context, [id], response, 'invalid-cursor', what);
}

/** Texts that look like cursors but were never handed out by the target. */
function altered(cursor: string, random: CheckContext['random']): readonly (readonly [string, string])[] {
  const at = random.integer(Math.floor(cursor.length / 4), Math.floor((cursor.length * 3) / 4));
  const letter = cursor[at] === 'A' ? 'B' : 'A';
  return [
    ['A cursor with another character', `${cursor.slice(0, at)}${letter}${cursor.slice(at + 1)}`],
    ['A cursor that is cut', cursor.slice(0, Math.ceil(cursor.length / 2))],
    ['A cursor with more at its end', `${cursor}${cursor.slice(0, 4)}`],
  ];
}

/** Other queries that the resource supports. */
function otherQueries(
  { filtering }: Resource,
  [first]: readonly JsonObject[],
): readonly (readonly [string, ListParameters, string])[] {
  const [sort] = filtering.sortable_fields;
  const field = Object.entries(filtering.filterable_fields).find(([, operators]) =>
    operators.some((name) => name === 'exists' || name === 'ne'),
  );
  const [name] = Object.keys(first ?? {});
  const filter = field && {
    [field[0]]: field[1].includes('exists') ? { exists: true } : { ne: 'no-such-value' },
  };
  return [
    ...(sort === undefined ? [] : [['A cursor of another order', { sort: `-${sort}` }, CURSOR] as const]),
    ...(filter === undefined
      ? []
      : [['A cursor of a list without the filter', { filter: JSON.stringify(filter) }, CURSOR] as const]),
    ...(name === undefined ? [] : [['A cursor of other fields', { fields: `/${name}` }, BOUND] as const]),
  ];
}

/** The limit may be different on the next page. */
async function tryOtherLimit(context: CheckContext, { resource }: Sample, cursor: string): Promise<void> {
  const [one, two] = [
    await readChain(context, resource, { limit: '1', cursor }, { maxPages: 1 }),
    await readChain(context, resource, { limit: '2', cursor }, { maxPages: 1 }),
  ];
  const [a, b] = [one.items[0], two.items[0]];
  if (a === undefined) return;
  context.findings.judge(OTHER_LIMIT, b !== undefined && jsonEquals(a, b), () => ({
    expected: 'A cursor goes on with another limit, since the limit is not part of the query.',
    got: two.broken?.got ?? 'Another record comes first.',
    exchange: two.broken?.exchange ?? two.pages[0]?.response.exchange,
  }));
}

/** A cursor belongs to the principal that it was given to. */
export const pageCursorsOfOthers: Check = {
  name: 'reads.pages.cursors-of-others',
  level: 'reads',
  requirements: [BOUND, INVALID],
  needs: ['token', 'second-token'],
  async run(context) {
    for (const { resource } of await samplesWith(context, 2)) {
      const page = await firstPage(context, resource);
      const own = await firstPage(context, resource, context.tokens.second);
      if (page === undefined || own === undefined) continue;
      const response = await context.http.get(listUrl(resource, { limit: '1', cursor: page.next }), {
        token: context.tokens.second,
      });
      judgeRefusal(context, [BOUND], response, 'invalid-cursor', 'A cursor of another principal');
    }
  },
};
