// A page of 50 records by an indexed filter over 100,000 records in SQLite, token checked, every query different,
// beside a bare Hono handler that sends the same bytes as a string.
import { getRequest } from './support/load.ts';
import { filteredPath, startReadingsServer } from './support/readings.ts';
import { compare, reportComparison } from './support/rounds.ts';

await using server = await startReadingsServer();
const sample = await (await server.fetch(filteredPath(0))).text();
const barePort = await server.serveBare(sample);
const requests = Array.from({ length: 90_000 }, (_, number) => server.request(filteredPath(number)));
const comparison = await compare(
  { port: server.port, requests },
  { port: barePort, requests: [getRequest('/', { host: 'localhost', accept: 'application/json' })] },
);
reportComparison('http-list-different', comparison, 0.35, 3);
