// One query repeated while the head does not move, token and permission checked each time, beside a bare Hono handler
// that sends the same bytes as a string.
import { getRequest } from './support/load.ts';
import { filteredPath, startReadingsServer } from './support/readings.ts';
import { compare, reportComparison } from './support/rounds.ts';

await using server = await startReadingsServer();
const sample = await (await server.fetch(filteredPath(0))).text();
const barePort = await server.serveBare(sample);
const comparison = await compare(
  { port: server.port, requests: [server.request(filteredPath(0))] },
  { port: barePort, requests: [getRequest('/', { host: 'localhost', accept: 'application/json' })] },
);
reportComparison('http-list-repeated', comparison, 0.8);
