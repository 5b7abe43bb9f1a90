/** PostGraphile as its documentation starts it as a library, over all tables of a database; tells the parent its port. */
import { createServer, type Server } from 'node:http';
import { listen } from '../../support/listen.ts';
import { peerModule } from '../published/install-peers.ts';

interface Served {
  readonly addTo: (server: Server) => Promise<void>;
}

const { postgraphile } = await peerModule<{
  readonly postgraphile: (preset: object) => { readonly createServ: (grafserv: unknown) => Served };
}>('postgraphile');
const { PostGraphileAmberPreset } = await peerModule<{ readonly PostGraphileAmberPreset: object }>(
  'postgraphile/presets/amber',
);
const { makePgService } = await peerModule<{ readonly makePgService: (options: object) => object }>(
  'postgraphile/adaptors/pg',
);
const { grafserv } = await peerModule<{ readonly grafserv: unknown }>('postgraphile/grafserv/node');

const served = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString: process.argv[2], schemas: ['public'] })],
  grafserv: { graphqlOverGET: true },
}).createServ(grafserv);
const server = createServer();
await served.addTo(server);
process.send?.(await listen(server));
process.on('disconnect', () => process.exit());
