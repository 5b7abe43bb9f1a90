import { resolve } from 'node:path';
import { createGateway, createToken, type Gateway, loadConfig } from 'rostack-gateway';
import { createFeed } from '../../../examples/observatory/feed.ts';
import { STATIONS } from '../../../examples/observatory/stations.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CONFIG = resolve(import.meta.dirname, '../../../examples/observatory/rostack-gateway.yaml');

/** A gateway of the observatory's configuration, whose records change when the test says so. */
export interface RunningExplorer extends AsyncDisposable {
  readonly gateway: Gateway;
  /** Address of the explorer's page. */
  readonly url: string;
  /** Opens everything. */
  readonly token: string;
  /** Opens the stations to read, and nothing else. */
  readonly narrowToken: string;
  /** Lets the invented feed go on: each tick makes one observation, and verifies one once there are 30. */
  readonly tick: (count: number) => Promise<void>;
}

interface ExplorerSetup {
  /** Overrides of the configuration, as environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** How many observations there are at first. @default 40 */
  readonly observations?: number;
}

export async function startExplorer({
  environment = {},
  observations = 40,
}: ExplorerSetup = {}): Promise<RunningExplorer> {
  const folder = await temporaryFolder();
  const config = await loadConfig(CONFIG, {
    environment: {
      ROSTACK__LISTENERS__DATA__PORT: '0',
      ROSTACK__DATA_DIR: folder.path,
      ...environment,
    },
  });
  const gateway = await createGateway(config);
  const { store } = gateway;
  await store.apply(STATIONS.map((record) => ({ resource: 'stations', op: 'put', record })));
  const feed = createFeed([], Math.random);
  let nowMs = Date.now() - observations * 1_000;
  const tick = async (count: number) => {
    for (let index = 0; index < count; index += 1) {
      nowMs += 1_000;
      await store.apply(feed.tick(nowMs));
    }
  };
  await tick(observations);
  const all = await createToken(store.tokens, { subject: 'test', grants: Object.keys(config.permissions) });
  const narrow = await createToken(store.tokens, { subject: 'narrow', grants: ['stations:read'] });
  return {
    gateway,
    url: gateway.implementation.discovery.implementation.documentation_url,
    token: all.token,
    narrowToken: narrow.token,
    tick,
    async [Symbol.asyncDispose]() {
      await gateway.close(0);
      await folder[Symbol.asyncDispose]();
    },
  };
}
