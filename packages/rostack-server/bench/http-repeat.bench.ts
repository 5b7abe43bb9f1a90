// One query repeated while the head does not move, token and permission checked each time, beside a bare Hono handler
// that sends the same bytes as a string.
import { filteredPath, startReadingsServer } from './support/readings.ts';
import { compare, reportComparison } from './support/rounds.ts';

await using server = await startReadingsServer();
const sample = await (await server.fetch(filteredPath(0))).text();
const bare = await server.serveBare(sample);
const requestsFile = await server.requests([filteredPath(0)]);
const comparison = await compare({ port: server.port, requestsFile }, bare);
reportComparison('http-list-repeated', comparison, 0.8);
