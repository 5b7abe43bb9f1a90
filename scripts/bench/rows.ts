/** A row of the table: benchmarks of one kind that have the same bar. */
export interface Row {
  /** Their names, as a shell would match them: `*` is anything, `{a,b}` is either. */
  readonly benchmarks: string;
  readonly comparedWith: string;
  readonly unit: Unit;
}

/** What the figure of a benchmark is; also its name in the history. */
export type Unit = 'ratio' | 'ms' | 's' | 'us' | 'mib' | 'bytes' | 'perSecond' | 'core';

const SAME_BYTES = 'a bare Hono handler that sends the same bytes';
const SDK = "the SDK's own stateless server with an empty tool";
const COPY = '`COPY` read by a bare process';
const BY_HAND = 'the same API by hand: Hono and the driver, with the same changes';
const STATEMENT = 'a bare handler with one named statement';
const ZERO = 'Zero over the same table';
const POSTGRAPHILE = 'PostGraphile over the same table';
const JETSTREAM = 'a key-value bucket of JetStream';

const ROWS: readonly (readonly [benchmarks: string, comparedWith: string, unit?: Unit])[] = [
  ['cafeteria-web/day-{feed,html,markdown}', SAME_BYTES],
  ['cafeteria-web/day-*/processor-time', SAME_BYTES],
  ['cafeteria-web/day-*/p99-ms', '', 'ms'],
  ['cafeteria-web/first-render-p99-ms', '', 'ms'],
  ['cafeteria-web/lighthouse-*-performance', 'the full score of Lighthouse'],
  [
    'cafeteria-web/lighthouse-*-{accessibility,agentic-browsing,best-practices,seo}',
    'the full score of Lighthouse',
  ],
  ['cafeteria-web/memory-mib', '', 'mib'],
  ['cafeteria-web/rss-all/p99-ms', '', 'ms'],
  ['cafeteria-web/rss-rebuild-blocking-ms', '', 'ms'],
  ['cafeteria-web/search-different{,/processor-time}', SAME_BYTES],
  ['cafeteria-web/search-different/p99-ms', '', 'ms'],
  ['cafeteria-web/search-repeated{,/processor-time}', SAME_BYTES],
  ['cafeteria-web/search-repeated/p99-ms', '', 'ms'],
  ['menu-client/parse', '`JSON.parse` of the same answers'],
  ['menu-client/search', '', 'ms'],
  ['menu-mcp/{get_restaurant_menu,search_restaurants}', SDK],
  ['menu-mcp/*/cost', `${SDK}, which shares its validator`],
  ['rostack-client/first-sync-{sqlite,postgresql}', '4 ranges over 1'],
  ['rostack-client/first-sync-sqlite-100-ms-away', '4 ranges over 1'],
  ['rostack-core/client-message-*', '`JSON.parse` alone'],
  ['rostack-core/event-encoder-*', '`JSON.stringify` for each subscriber'],
  ['rostack-core/filter-against-sift', 'sift'],
  ['rostack-core/filter-against-hand-written', 'a function written by hand'],
  ['rostack-server/gateway-fan-out-against-ws', '`ws`, which writes each frame by itself'],
  ['rostack-server/gateway-fan-out-against-socket-io', 'socket.io rooms'],
  ['rostack-server/gateway-fan-out-against-feathers', 'Feathers channels'],
  [
    'rostack-server/gateway-fan-out-deflate{,-at-saturation}-against-plain',
    'the gateway without compression',
  ],
  ['rostack-server/gateway-fan-out-deflate{,-at-saturation}-against-ws', '`ws` with deflate, windows kept'],
  ['rostack-server/gateway-fan-out-deflate-bytes', 'the plain frame'],
  ['rostack-server/gateway-beside-stalled-readers', 'the same without stalled readers'],
  ['rostack-server/gateway-catch-up', '', 'perSecond'],
  ['rostack-server/gateway-commit-to-socket-*-p99-ms', '', 'ms'],
  ['rostack-server/gateway-filters-us-per-event', '', 'us'],
  ['rostack-server/gateway-idle-memory', 'bare `ws` sockets'],
  ['rostack-server/idle-connections/bytes', '', 'bytes'],
  ['rostack-store/apply-sqlite', '20,000 changes a second'],
  ['rostack-store/apply-postgres', '10,000 changes a second'],
  ['rostack-store/attach-move{,-many}', '10,000 row changes a second'],
  ['rostack-store/attach-trigger*', 'the same table without triggers'],
  ['rostack-store/memory-sqlite', 'the second fifth of the run'],
  ['rostack-store/page-deep-*', 'the first page'],
  ['rostack-store/page-old-*', 'the same page of now'],
  ['rostack-store/page-size/now/*', 'a table of a hundredth of the records'],
  ['rostack-store/page-size/as-of-*', 'a table of a hundredth of the records'],
  ['rostack-gateway/import', '`apply` alone'],
  ['rostack-gateway/attach-copy/100000', '', 's'],
  ['rostack-gateway/attach-copy/1000000', '', 's'],
  ['rostack-gateway/import-memory', 'a file of a third of the lines'],
  ['rostack-gateway/noisy-query/*/health-p99-ms', '', 'ms'],
  ['rostack-gateway/noisy-query/*/lag-p99-ms', '', 'ms'],
  ['rostack-gateway/gateway-list/sqlite-by-hand/rate', BY_HAND],
  ['rostack-gateway/gateway-list/sqlite-by-hand/p99', BY_HAND],
  ['rostack-gateway/gateway-list/sqlite-1m/rate', '100,000 records instead of a million'],
  ['rostack-gateway/gateway-list/postgresql-by-hand/rate', BY_HAND],
  ['rostack-gateway/gateway-list/postgresql-by-hand/p99', BY_HAND],
  ['rostack-gateway/gateway-list/postgresql{,-no-statistics}/rate', STATEMENT],
  ['rostack-gateway/gateway-list/postgresql{,-no-statistics}/p99', STATEMENT],
  ['rostack-gateway/gateway-list/repeated/sqlite/rate', SAME_BYTES],
  ['rostack-gateway/gateway-list/repeated/postgresql/rate', STATEMENT],
  ['rostack-gateway/gateway-list/deep-page/*', 'the second page of the chain'],
  ['rostack-gateway/gateway-list/old-snapshot/*', 'a page of a new snapshot'],
  ['rostack-gateway/long-requests/*', 'the median of the same load'],
  ['rostack-gateway/gateway-item/sqlite-by-hand/rate', BY_HAND],
  ['rostack-gateway/gateway-item/postgresql-by-hand/rate', BY_HAND],
  ['rostack-gateway/gateway-item/postgresql/rate', STATEMENT],
  ['rostack-gateway/first-sync-million/sqlite/*', COPY],
  ['rostack-gateway/first-sync-million/postgresql/*', COPY],
  ['rostack-gateway/catch-up-million/sqlite/*', 'a bare process that reads the log'],
  ['rostack-gateway/catch-up-million/postgresql/*', 'a bare process that reads the log'],
  ['rostack-gateway/followers-return/*/all-at-the-head-s', '', 's'],
  ['rostack-gateway/followers-return/*/live-p99-ms', '', 'ms'],
  ['rostack-gateway/gateway-workers/list{,-postgresql}', 'one worker instead of two'],
  ['rostack-gateway/gateway-workers/fan-out', 'one worker instead of two'],
  ['rostack-gateway/edge-first-sync', 'the pages of one chain'],
  ['rostack-gateway/idle-workers/bytes*', '', 'bytes'],
  ['rostack-gateway/attached-latency/*/p50', '', 'ms'],
  ['rostack-gateway/attached-latency/*/after-rest-max', '', 'ms'],
  ['rostack-gateway/change-latency/*/p50', '', 'ms'],
  ['rostack-gateway/idle/*/transactions', '', 'perSecond'],
  ['rostack-gateway/idle/sqlite/processor', '', 'core'],
  ['rostack-gateway/idle/postgresql/processor', '', 'core'],
  ['rostack-gateway/idle/*/attach', '', 's'],
  ['rostack-gateway/idle/*/start', '', 's'],
  ['rostack-gateway/many-resources/cpu', '', 's'],
  ['rostack-gateway/many-resources/memory', '', 'mib'],
  ['rostack-gateway/steady-life/resident-mib', '', 'mib'],
  ['rostack-gateway/steady-life/changes-per-second', '', 'perSecond'],
  ['rostack-gateway/steady-life/file-growth', 'the file at the beginning'],
  ['peers/zero/*/live', ZERO],
  ['peers/zero/*/p50', ZERO],
  ['peers/zero/*/p99', ZERO],
  ['peers/zero/*/processor', ZERO],
  ['peers/zero/*/memory', ZERO],
  ['peers/zero/ready', ZERO],
  ['peers/postgraphile/list/rate', POSTGRAPHILE],
  ['peers/postgraphile/list/p99', POSTGRAPHILE],
  ['peers/jetstream/*/live', JETSTREAM],
  ['peers/jetstream/*/p50', JETSTREAM],
  ['peers/jetstream/*/p99', JETSTREAM],
  ['peers/jetstream/*/processor', JETSTREAM],
  ['peers/jetstream/*/memory', JETSTREAM],
];

/** In the order of the table. */
export const rows: readonly Row[] = ROWS.map(([benchmarks, comparedWith, unit = 'ratio']) => ({
  benchmarks,
  comparedWith,
  unit,
}));

/** Whether a benchmark belongs to the row. */
export function isOf({ benchmarks }: Row, name: string): boolean {
  const pattern = benchmarks
    .replaceAll('*', '.*')
    .replaceAll(/\{(.*?)\}/g, (_, either: string) => `(?:${either.replaceAll(',', '|')})`);
  return new RegExp(`^${pattern}$`).test(name);
}

/** @throws Error for a benchmark that has no row */
export function rowOf(name: string): Row {
  const row = rows.find((each) => isOf(each, name));
  if (row === undefined) throw new Error(`${name} has no row: give it one in scripts/bench/rows.ts`);
  return row;
}
