import {
  type Collation,
  comparePageKeys,
  type Filter,
  type FilterComparison,
  type FilterOperator,
  type JsonObject,
  type JsonValue,
  joinBodies,
  type Page,
  type PageKey,
  type PageQuery,
  pageKeyOf,
  parseBodies,
  type RecordSource,
  recordIdText,
} from 'rostack-core';
import type { Mutant } from '../mutant.ts';

/** A source with some of its methods replaced. */
const wrapped = (inner: RecordSource, replaced: Partial<RecordSource>): RecordSource => ({
  head: () => inner.head(),
  page: (query) => inner.page(query),
  get: (id, visible) => inner.get(id, visible),
  tagAt: (position) => inner.tagAt(position),
  read: (after, limit, tag) => inner.read(after, limit, tag),
  watch: (onMoved) => inner.watch(onMoved),
  ...replaced,
});

/** Reads pages by other queries. */
export const queried =
  (change: (query: PageQuery) => PageQuery): NonNullable<Mutant['source']> =>
  (source) =>
    wrapped(source, { page: (query) => source.page(change(query)) });

/** Reads items in another way. */
export const gotten =
  (
    get: (source: RecordSource, id: string) => ReturnType<RecordSource['get']>,
  ): NonNullable<Mutant['source']> =>
  (source) =>
    wrapped(source, { get: (id) => get(source, id) });

/** A comparison or key; of one collation without what says that it compares by value. */
export const asText =
  (collation: Collation) =>
  <T extends { readonly collation?: Collation }>(of: T): Omit<T, 'collation'> => {
    const { collation: own, ...rest } = of;
    return own === collation ? rest : of;
  };

/** Changes every comparison of a filter. */
export function mapComparisons(filter: Filter, change: (comparison: FilterComparison) => Filter): Filter {
  switch (filter.kind) {
    case 'comparison':
      return change(filter);
    case 'not':
      return { kind: 'not', filter: mapComparisons(filter.filter, change) };
    default:
      return { kind: filter.kind, filters: filter.filters.map((part) => mapComparisons(part, change)) };
  }
}

/** Reads one operator as another filter. */
export const misread = (
  operators: readonly FilterOperator[],
  change: (comparison: FilterComparison) => Filter,
): NonNullable<Mutant['source']> =>
  queried((query) => ({
    ...query,
    filter:
      query.filter &&
      mapComparisons(query.filter, (comparison) =>
        operators.includes(comparison.operator) ? change(comparison) : comparison,
      ),
  }));

/** Reads combinations in another way. */
export const recombined = (change: (filter: Filter) => Filter): NonNullable<Mutant['source']> =>
  queried((query) => ({ ...query, filter: query.filter && change(query.filter) }));

interface Row {
  readonly value: JsonObject;
  readonly key: PageKey;
}

/**
 * Reads all records, and makes pages of them in another way.
 * @param overlap records that a page has in common with the one before
 */
export const paged =
  (
    compare: (query: PageQuery) => (a: PageKey, b: PageKey) => number,
    matches: (query: PageQuery) => ((record: JsonValue) => boolean) | undefined = () => undefined,
    overlap = 0,
  ): NonNullable<Mutant['source']> =>
  (source) =>
    wrapped(source, {
      page: async (query): Promise<Page> => {
        const isMatch = matches(query);
        const { sort, after, limit } = query;
        const all = await source.page({
          ...query,
          filter: isMatch === undefined ? query.filter : undefined,
          sort: [],
          after: undefined,
          limit: 10_000,
        });
        const order = compare(query);
        const rows = parseBodies(all.bodies)
          .map(
            (value): Row => ({ value, key: pageKeyOf({ id: recordIdText(value['id']) ?? '', value }, sort) }),
          )
          .filter(({ value }) => isMatch?.(value) ?? true)
          .sort((a, b) => order(a.key, b.key));
        const before = after === undefined ? 0 : rows.findIndex(({ key }) => key.id === after.id) + 1;
        // A chain of such small pages would never end.
        const from = before === 0 || limit <= 2 ? before : before - overlap;
        const shown = rows.slice(from, from + limit);
        const next = rows.length > from + limit ? shown.at(-1)?.key : undefined;
        return { head: all.head, bodies: joinBodies(shown.map(({ value }) => JSON.stringify(value))), next };
      },
    });

/** The right order of a query. */
export const rightOrder = ({ sort }: PageQuery): ((a: PageKey, b: PageKey) => number) =>
  comparePageKeys(sort);
