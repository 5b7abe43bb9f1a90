import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseBodies } from 'rostack-core';
import { openStore, type ResourceDefinition, type Store } from 'rostack-store';
import { builtProgram } from 'test-support/built-program';
import { FaultProxy } from 'test-support/fault-proxy';
import { freePort } from 'test-support/free-port';
import { createRandom, type Random } from 'test-support/random';
import { ensureDevelopmentCertificate } from '../../../../apps/rostack-gateway/src/serving/certificates/development-certificate.ts';
import { RESOURCES } from '../../follows/post.ts';
import { createPostgresSoakDatabase, type RestartServer } from '../databases/postgres-soak-database.ts';
import { createSqliteSoakDatabase, type SoakDatabase } from '../databases/soak-database.ts';
import { type GatewayCommand, GatewayProcess } from '../processes/gateway-process.ts';
import { LogKeeper, patiently } from './log-keeper.ts';
import { storedResources, writeSoakConfig } from './soak-config.ts';
import { TokenDesk } from './token-desk.ts';

export interface WorldOptions {
  readonly database: 'postgres' | 'sqlite';
  /** Processes over one PostgreSQL; SQLite has one. */
  readonly gateways: number;
  readonly postgresUrl: string;
  /** Restarts the server at `postgresUrl`, where that is ours to do. */
  readonly restartServer?: RestartServer | undefined;
}

const KEEP_ALL = { maxAgeMs: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER, intervalMs: 0 };
const KEPT_SPARINGLY = 100;
const REMOVED_AT_ONCE = 500;

/** Everything that a soak runs against: a database, gateways as processes, the ways between them and the clients. */
export class World implements AsyncDisposable {
  readonly gateways: readonly GatewayProcess[];
  readonly database: SoakDatabase;
  /** The way from the clients to the gateways: the address that discovery tells. */
  readonly front: FaultProxy;
  /** Reads, prunes and judges, past all faults. */
  readonly store: Store;
  readonly certificatePem: string;
  readonly tokens: TokenDesk;
  readonly #sparingStore: Store;
  readonly #stack: AsyncDisposableStack;
  readonly #resting: Set<GatewayProcess>;
  readonly #resources: readonly ResourceDefinition[];
  /** How far the clocks of the writers are off. */
  writersClockOffsetMs = 0;

  private constructor(parts: Parts) {
    this.gateways = parts.gateways;
    this.database = parts.database;
    this.front = parts.front;
    this.store = parts.store;
    this.certificatePem = parts.certificatePem;
    this.tokens = new TokenDesk(parts.store);
    this.#sparingStore = parts.sparingStore;
    this.#stack = parts.stack;
    this.#resting = parts.resting;
    this.#resources = parts.resources;
  }

  static async create(options: WorldOptions): Promise<World> {
    await using stack = new AsyncDisposableStack();
    const random = createRandom('world');
    const folder = await mkdtemp(join(tmpdir(), 'rostack-soak-'));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const { certificatePem } = await ensureDevelopmentCertificate(folder, Date.now());
    const configFile = await writeSoakConfig(folder);
    const resources = await storedResources(folder);
    const database =
      options.database === 'sqlite'
        ? createSqliteSoakDatabase(folder)
        : await createPostgresSoakDatabase(options.postgresUrl, random, options.restartServer);
    stack.use(database);
    const open = (maxChanges: number) =>
      openStore({
        url: database.directUrl,
        resources,
        retention: { ...KEEP_ALL, maxChanges },
        maxConnections: 3,
        readTimeoutMs: 10_000,
        onAlarm: () => {},
      });
    const store = stack.use(await open(0));
    const sparingStore = stack.use(await open(KEPT_SPARINGLY));

    const gateways: GatewayProcess[] = [];
    const resting = new Set<GatewayProcess>();
    const front = stack.use(
      await FaultProxy.start(() =>
        inRandomOrder(
          random,
          gateways.filter((gateway) => !resting.has(gateway)),
        ),
      ),
    );
    const count = options.database === 'sqlite' ? 1 : options.gateways;
    const baseUrl = `https://127.0.0.1:${front.port}`;
    for (let number = 1; number <= count; number += 1) {
      const settings = { configFile, port: await freePort(), baseUrl, storeUrl: database.url };
      gateways.push(stack.use(new GatewayProcess(`gateway ${number}`, gatewayCommand(settings))));
    }
    await Promise.all(gateways.map((gateway) => gateway.start()));
    const parts = { gateways, database, front, store, sparingStore, certificatePem, resting, resources };
    return new World({ ...parts, stack: stack.move() });
  }

  get baseUrl(): string {
    return `https://127.0.0.1:${this.front.port}`;
  }

  /** A store of a writer, on the way that faults lie on. */
  openWriterStore(): Promise<Store> {
    return openStore({
      url: this.database.url,
      resources: this.#resources,
      retention: { intervalMs: 0 },
      maxConnections: 3,
      writeTimeoutMs: 2_000,
      hints: this.database.hints,
      nowMs: () => Date.now() + this.writersClockOffsetMs,
      onAlarm: () => {},
    });
  }

  /** Sends no new connection to a gateway that is about to go. */
  rest(gateway: GatewayProcess): void {
    this.#resting.add(gateway);
  }

  /** Sends new connections there again. */
  unrest(gateway: GatewayProcess): void {
    this.#resting.delete(gateway);
  }

  /** Ends every fault: all gateways run, all ways are open and quick, all clocks are right. */
  async heal(): Promise<void> {
    this.front.refuse(false);
    this.front.delay(0);
    for (const link of this.front.links) link.resume();
    this.database.loseHints(0);
    this.setClocks(() => 0);
    for (const gateway of this.gateways) gateway.resume();
    await Promise.all(this.gateways.map((gateway) => gateway.start()));
    this.#resting.clear();
  }

  /** Steps the clock of each gateway, and of the writers. */
  setClocks(offsetMs: () => number): void {
    const offsets = this.gateways.map((gateway) => {
      const offset = offsetMs();
      gateway.setClock(offset);
      return offset;
    });
    this.writersClockOffsetMs = offsetMs();
    this.tokens.clockOffsetMs = Math.max(...offsets);
  }

  /** Drops the log: all of it, or all but the newest changes. */
  async prune(kept: 'none' | 'some'): Promise<void> {
    const store = kept === 'none' ? this.store : this.#sparingStore;
    await patiently(() => store.prune());
  }

  /** Deletes all records and the log; returns who keeps the log of each resource from here on. */
  async clear(): Promise<LogKeeper[]> {
    const keepers: LogKeeper[] = [];
    for (const resource of RESOURCES) {
      const source = this.store.source(resource);
      for (;;) {
        const { bodies } = await source.page({ sort: [], limit: REMOVED_AT_ONCE });
        const records = parseBodies(bodies) as { readonly id: string }[];
        if (records.length === 0) break;
        await this.store.apply(records.map(({ id }) => ({ resource, op: 'delete', id })));
      }
    }
    await this.store.prune();
    for (const resource of RESOURCES) {
      const { position } = await this.store.source(resource).head();
      keepers.push(new LogKeeper(this.store, resource, position));
    }
    return keepers;
  }

  /** What the gateways have written, for the report of a failure. */
  get output(): string {
    return this.gateways.map(({ name, output }) => `--- ${name}\n${output}`).join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack[Symbol.asyncDispose]();
  }
}

interface Parts {
  readonly gateways: readonly GatewayProcess[];
  readonly database: SoakDatabase;
  readonly front: FaultProxy;
  readonly store: Store;
  readonly sparingStore: Store;
  readonly certificatePem: string;
  readonly resting: Set<GatewayProcess>;
  readonly resources: readonly ResourceDefinition[];
  readonly stack: AsyncDisposableStack;
}

interface GatewaySettings {
  readonly configFile: string;
  readonly port: number;
  readonly baseUrl: string;
  readonly storeUrl: string;
}

/** The command as people start it, with a clock that can be stepped. */
function gatewayCommand({ configFile, port, baseUrl, storeUrl }: GatewaySettings): GatewayCommand {
  const clock = resolve(import.meta.dirname, '../processes/shifted-clock.ts');
  const program = builtProgram('apps/rostack-gateway/dist/cli/main.js');
  return {
    argv: ['--import', clock, program, 'start', '--config', configFile],
    env: {
      ROSTACK__KEYS: 'the keys of a soak are no secret to anybody',
      ROSTACK__LISTENERS__DATA__PORT: String(port),
      ROSTACK__PUBLIC_URL: baseUrl,
      ROSTACK__STORE__URL: storeUrl,
    },
    port,
  };
}

function inRandomOrder(random: Random, gateways: readonly GatewayProcess[]) {
  const targets = gateways.map(({ port }) => ({ host: '127.0.0.1', port }));
  const first = targets.length > 1 ? random.int(0, targets.length - 1) : 0;
  return [...targets.slice(first), ...targets.slice(0, first)];
}
