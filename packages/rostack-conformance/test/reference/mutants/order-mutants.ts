import { comparePageKeys, type PageKey } from 'rostack-core';
import type { Mutant } from '../mutant.ts';
import { asked, items, parameterOf, renamed, withQuery } from './answers.ts';
import { asText, paged, queried, type rightOrder } from './sources.ts';

/** Orders two rows by a comparison of the first values that differ. */
const ordered =
  (compare: (a: unknown, b: unknown) => number | undefined) =>
  (query: Parameters<typeof rightOrder>[0]) =>
  (a: PageKey, b: PageKey): number => {
    for (const [index, key] of query.sort.entries()) {
      const own = compare(a.values[index], b.values[index]);
      const one = comparePageKeys([key]);
      const order = own ?? one({ values: [a.values[index]], id: '' }, { values: [b.values[index]], id: '' });
      if (order !== 0) return own === undefined ? order : key.descending ? -order : order;
    }
    return compareIds(a.id, b.id);
  };

const compareIds = (a: string, b: string): number =>
  comparePageKeys([])({ values: [], id: a }, { values: [], id: b });

/** Faults in orders, and in fields that are kept. */
export const ORDER_MUTANTS: Readonly<Record<string, Mutant>> = {
  'numbers sort the other way round': {
    fails: ['json.query.sort'],
    source: paged(ordered((a, b) => (typeof a === 'number' && typeof b === 'number' ? b - a : undefined))),
  },
  'what is missing sorts last': {
    fails: ['decided.sort-order'],
    source: paged(
      ordered((a, b) => {
        const [left, right] = [Number(a === undefined), Number(b === undefined)];
        return left === right ? undefined : left - right;
      }),
    ),
  },
  'ties are broken the other way round': {
    fails: ['decided.sort-ties'],
    source: paged(({ sort }) => {
      const order = comparePageKeys(sort);
      return (a, b) => {
        const known = order({ values: a.values, id: '' }, { values: b.values, id: '' });
        return known === 0 ? compareIds(b.id, a.id) : known;
      };
    }),
  },
  'decimals sort as texts': {
    fails: ['decided.decimals'],
    source: queried((query) => ({ ...query, sort: query.sort.map(asText('decimal')) })),
  },
  'date-times sort as texts': {
    fails: ['decided.instants'],
    source: queried((query) => ({ ...query, sort: query.sort.map(asText('date-time')) })),
  },
  'unknown orders are left out': {
    fails: ['json.query.sort'],
    answer: asked(['list'], (request) =>
      /no-such-field|no-slash/.test(parameterOf(request, 'sort') ?? '')
        ? withQuery(request, (parameters) => parameters.delete('sort'))
        : request,
    ),
  },
  'invalid orders are invalid requests': {
    fails: ['err.http.type.invalid-sort', 'discovery.authoritative'],
    answer: renamed('invalid-sort', 'invalid-request'),
  },
  'fields keep something more': {
    fails: ['json.query.fields'],
    answer: items((item, _, request) =>
      parameterOf(request, 'fields') === undefined ? item : { ...item, 'kept-as-well': 1 },
    ),
  },
  'an order counts only for fields that are kept': {
    fails: ['json.query.filter-sees-record'],
    answer: asked(['list'], (request) =>
      parameterOf(request, 'fields') === undefined
        ? request
        : withQuery(request, (parameters) => parameters.delete('sort')),
    ),
  },
  'unknown fields of records are left out': {
    fails: ['json.query.fields-of-representation'],
    answer: asked(['list'], (request) =>
      /no-such-field/.test(parameterOf(request, 'fields') ?? '')
        ? withQuery(request, (parameters) => parameters.delete('fields'))
        : request,
    ),
  },
  'invalid fields are invalid requests': {
    fails: ['err.http.type.invalid-fields'],
    answer: renamed('invalid-fields', 'invalid-request'),
  },
  'a cursor goes on without its fields': {
    fails: ['decided.page-cursor.bound'],
    answer: asked(['list'], (request) =>
      parameterOf(request, 'cursor') === undefined
        ? request
        : withQuery(request, (parameters) => parameters.delete('fields')),
    ),
  },
};
