import { exec } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { JsonObject, Release } from 'rostack-core';
import { createGateway, createToken, type Gateway, loadConfig } from 'rostack-gateway';
import { parseSharedToken } from 'rostack-server';
import { restoreSqlite } from 'rostack-store';
import type { PostgresDatabase } from 'test-support/postgres';
import {
  DRIVER_OPERATIONS,
  type Driver,
  type DriverChange,
  type DriverOperation,
  type IssueRequest,
} from '../../src/check/driver.ts';
import type { Target } from '../../src/run/target.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { ADMIN_TOKEN, GRANTS, POOR_GRANTS, RECORDS, writeGatewayConfig } from './gateway-config.ts';

const run = promisify(exec);
const DRAIN_MS = 500;

export interface ServedGateway extends AsyncDisposable {
  readonly target: Target;
}

export interface ServeOptions {
  /** @default SQLite in a folder of its own */
  readonly database?: PostgresDatabase | undefined;
  /** Its access tokens are taken beside shared tokens. */
  readonly authorizationServer?: AuthorizationServer | undefined;
}

/** The real gateway with some records, its development certificate, three tokens, and a driver in this process. */
export async function serveGateway(
  release: Release,
  { database, authorizationServer }: ServeOptions = {},
): Promise<ServedGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'rostack-conformance-'));
  const { file, url, certificate } = await writeGatewayConfig(folder, {
    release,
    storeUrl: database?.url,
    ...authorizationServer,
  });
  const start = async (environment: Readonly<Record<string, string>> = {}) =>
    createGateway(await loadConfig(file, { environment: { ADMIN_TOKEN, ...environment } }));
  const copying =
    database === undefined ? copyOfSqlite(folder, () => driver.gateway) : commandsOf(database.copying);
  const driver = new GatewayDriver(await start(), start, copying);
  await driver.burst(
    'stations',
    RECORDS.map((record) => ({ op: 'put', record })),
  );
  const { gateway } = driver;
  return {
    target: {
      url,
      ca: await readFile(certificate, 'utf8'),
      token: await driver.issue({}),
      secondToken: await tokenOf(gateway, { subject: 'second', grants: GRANTS }),
      poorToken: await tokenOf(gateway, { subject: 'poor', grants: POOR_GRANTS }),
      driver,
    },
    async [Symbol.asyncDispose]() {
      await driver[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const tokenOf = async (gateway: Gateway, request: Parameters<typeof createToken>[1]): Promise<string> =>
  (await createToken(gateway.store.tokens, request)).token;

/** A copy of the database. */
interface Copying {
  /** While the gateway runs, or not. */
  readonly savesStopped: boolean;
  readonly save: () => Promise<void>;
  /** While it does not. */
  readonly restore: () => Promise<void>;
}

function copyOfSqlite(folder: string, gateway: () => Gateway): Copying {
  const [saved, database] = [join(folder, 'saved.sqlite'), join(folder, 'data/store.db')];
  return {
    savesStopped: false,
    async save() {
      await rm(saved, { force: true });
      await gateway().store.backUp(saved);
    },
    async restore() {
      for (const suffix of ['', '-wal', '-shm']) await rm(`${database}${suffix}`, { force: true });
      await restoreSqlite(saved, database);
    },
  };
}

const commandsOf = ({ save, restore }: PostgresDatabase['copying']): Copying => ({
  savesStopped: true,
  save: async () => void (await run(save)),
  restore: async () => void (await run(restore)),
});

/** Drives a gateway in this process; a restart is a new one over the same store, on the same port. */
class GatewayDriver implements Driver {
  readonly operations: ReadonlySet<DriverOperation> = new Set(DRIVER_OPERATIONS);
  readonly samples = { stations: RECORDS.slice(0, 8), 'field-notes': RECORDS.slice(0, 8) };
  gateway: Gateway;
  readonly #start: (environment?: Readonly<Record<string, string>>) => Promise<Gateway>;
  readonly #copying: Copying;
  #closing: Promise<void> | undefined;

  constructor(
    gateway: Gateway,
    start: (environment?: Readonly<Record<string, string>>) => Promise<Gateway>,
    copying: Copying,
  ) {
    this.gateway = gateway;
    this.#start = start;
    this.#copying = copying;
  }

  put(resource: string, record: JsonObject): Promise<void> {
    return this.burst(resource, [{ op: 'put', record }]);
  }

  delete(resource: string, id: string): Promise<void> {
    return this.burst(resource, [{ op: 'delete', id }]);
  }

  async burst(resource: string, changes: readonly DriverChange[]): Promise<void> {
    await this.gateway.store.apply(changes.map((change) => ({ resource, ...change })));
  }

  issue({ expiresInMs, permissions = GRANTS }: IssueRequest): Promise<string> {
    const expiresAtMs = expiresInMs === undefined ? undefined : Date.now() + expiresInMs;
    return tokenOf(this.gateway, { subject: 'main', grants: permissions, expiresAtMs });
  }

  async revoke(token: string): Promise<void> {
    await this.gateway.store.tokens.revoke(parseSharedToken(token) ?? '');
  }

  async drain(): Promise<void> {
    this.#closing = this.gateway.close({ drainTimeoutMs: DRAIN_MS });
  }

  async restart(): Promise<void> {
    await this.#whileStopped(() => Promise.resolve());
  }

  /** Another gateway over the same store drops the history, while this one serves it. */
  async prune(): Promise<void> {
    const forgetful = await this.#start({
      ROSTACK__PUBLIC_URL: this.gateway.url,
      ROSTACK__LISTENERS__DATA__PORT: '0',
      ROSTACK__LISTENERS__ADMIN__PORT: '0',
      ROSTACK__RETENTION__MAX_CHANGES: '1',
    });
    await forgetful.store.prune();
    await forgetful.close({ drainTimeoutMs: 0 });
  }

  async save(): Promise<void> {
    if (this.#copying.savesStopped) await this.#whileStopped(this.#copying.save);
    else await this.#copying.save();
  }

  restore(): Promise<void> {
    return this.#whileStopped(this.#copying.restore);
  }

  async #whileStopped(work: () => Promise<void>): Promise<void> {
    await (this.#closing ?? this.gateway.close({ drainTimeoutMs: 0 }));
    this.#closing = undefined;
    await work();
    this.gateway = await this.#start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (this.#closing ?? this.gateway.close({ drainTimeoutMs: 0 }));
  }
}
