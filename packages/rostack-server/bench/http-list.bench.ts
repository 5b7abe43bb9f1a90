// A page of 50 records by an indexed filter over 100,000 records in SQLite, token checked, every query different,
// beside a bare Hono handler that sends the same bytes as a string.
import { filteredPath, startReadingsServer } from './support/readings.ts';
import { compare, reportComparison } from './support/rounds.ts';

await using server = await startReadingsServer();
const sample = await (await server.fetch(filteredPath(0))).text();
const bare = await server.serveBare(sample);
const requestsFile = await server.requests(
  Array.from({ length: 300_000 }, (_, number) => filteredPath(number)),
);
const comparison = await compare({ port: server.port, requestsFile }, bare);
reportComparison('http-list-different', comparison, 0.35, 3);
