/** The parts of @rocicorp/zero that are used here, so that types are checked without it being installed. */
import type { Point } from '../support/points.ts';

/** What a view is told: the kind of the change, the row after it. */
export type Change = readonly [type: number, node: { readonly row: Point }, ...unknown[]];

export interface ViewInput {
  readonly setOutput: (output: { readonly push: (change: Change) => readonly never[] }) => void;
  readonly fetch: (request: object) => Iterable<unknown>;
}

type ViewFactory<View> = (
  query: unknown,
  input: ViewInput,
  format: unknown,
  onDestroy: () => void,
  onCommit: (callback: () => void) => void,
  complete: true | Promise<true>,
) => View;

interface ZeroClient {
  readonly materialize: <View>(query: unknown, factory: ViewFactory<View>) => View;
}

interface ZeroClientOptions {
  readonly cacheURL: string;
  readonly schema: unknown;
  readonly storageKey: string;
  readonly kvStore: 'mem';
  readonly slowMaterializeThreshold: number;
}

interface CustomQuery {
  (): unknown;
  readonly fn: (options: object) => unknown;
}

export interface ZeroModule {
  readonly Zero: new (options: ZeroClientOptions) => ZeroClient;
  readonly string: () => unknown;
  readonly number: () => unknown;
  readonly table: (name: string) => {
    readonly columns: (columns: object) => { readonly primaryKey: (key: string) => unknown };
  };
  readonly createSchema: (parts: { readonly tables: readonly unknown[] }) => unknown;
  readonly createBuilder: (schema: unknown) => { readonly points: unknown };
  readonly defineQuery: (query: () => unknown) => unknown;
  readonly defineQueries: (queries: { readonly points: unknown }) => { readonly points: CustomQuery };
}

export interface ZeroServerModule {
  readonly handleQueryRequest: (request: {
    readonly handler: (name: string) => unknown;
    readonly schema: unknown;
    readonly userID: string | null;
    readonly query: object;
    readonly body: unknown;
  }) => Promise<unknown>;
}

/** The table and the query of all of it, as an application of Zero declares them. */
export function pointsOf(zero: ZeroModule): {
  readonly schema: unknown;
  readonly queries: { readonly points: CustomQuery };
} {
  const points = zero
    .table('points')
    .columns({ id: zero.string(), value: zero.number(), note: zero.string() })
    .primaryKey('id');
  const schema = zero.createSchema({ tables: [points] });
  const builder = zero.createBuilder(schema);
  return { schema, queries: zero.defineQueries({ points: zero.defineQuery(() => builder.points) }) };
}
