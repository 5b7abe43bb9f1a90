import { setTimeout as wait } from 'node:timers/promises';
import { FaultProxy } from 'test-support/fault-proxy';
import { PostgresCluster } from 'test-support/own-postgres/cluster';
import { PostgresPrograms } from 'test-support/own-postgres/programs';
import type { Database, WayBack } from './way-back.ts';

const LOOK_PAUSE_MS = 50;
const MAX_LOOKS = 400;

type Parts = Pick<Database, 'remember' | 'goBack'> & Partial<Database>;

/** The server that all ways use one after the other. */
export class PostgresWays implements AsyncDisposable {
  readonly #programs: PostgresPrograms;
  readonly #cluster: PostgresCluster;
  #databases = 0;

  private constructor(programs: PostgresPrograms, cluster: PostgresCluster) {
    this.#programs = programs;
    this.#cluster = cluster;
  }

  /** @throws Error where the system has no PostgreSQL programs */
  static async start(): Promise<PostgresWays> {
    const programs = await PostgresPrograms.find();
    const cluster = new PostgresCluster(programs, 'primary');
    await cluster.init();
    await cluster.start();
    return new PostgresWays(programs, cluster);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cluster.stop('immediate');
    await this.#programs[Symbol.asyncDispose]();
  }

  plainDump(): Promise<Database> {
    const file = this.#cluster.file('dump.sql');
    return this.#database((name) => ({
      isLive: true,
      remember: () => this.#cluster.call('pg_dump', name, '-f', file),
      goBack: async () => {
        await this.#cluster.query(name, 'drop schema rostack cascade');
        await this.#cluster.call('psql', name, '-q', '-v', 'ON_ERROR_STOP=1', '-f', file);
      },
    }));
  }

  customDump(): Promise<Database> {
    const file = this.#cluster.file('dump.custom');
    return this.#database((name) => ({
      remember: () => this.#cluster.call('pg_dump', name, '-Fc', '-f', file),
      goBack: () => this.#cluster.call('pg_restore', name, '--clean', '--exit-on-error', file),
    }));
  }

  copiedDataDirectory(): Promise<Database> {
    return this.#database(() => ({
      isLive: true,
      remember: async () => {
        await this.#cluster.stop('fast');
        await this.#cluster.copyData();
        await this.#cluster.start();
      },
      goBack: () => this.#putCopyBack(),
    }));
  }

  baseBackup(): Promise<Database> {
    return this.#database(() => ({
      remember: () => this.#cluster.backUpBase(),
      goBack: () => this.#putCopyBack(),
    }));
  }

  /** The standby is cut off from the primary, then the primary dies, and gateways are led to the standby. */
  async promotedStandby(): Promise<Database> {
    const primary = this.#cluster;
    const standby = new PostgresCluster(this.#programs, 'standby', ['recovery_min_apply_delay=200ms']);
    const host = '127.0.0.1';
    const replication = await FaultProxy.start(() => [{ host, port: primary.port }]);
    let port = primary.port;
    const service = await FaultProxy.start(() => [{ host, port }]);
    const database = await this.#database((name) => ({
      url: primary.urlOf(name, service.port),
      isLive: true,
      remember: async () => {
        await standby.followFrom(replication.port);
        await standby.start();
        const [row] = await primary.query(name, 'select pg_current_wal_lsn() as lsn');
        await until(async () => {
          const caughtUp = `select pg_last_wal_replay_lsn() >= '${String(row?.['lsn'])}' as yes`;
          return (await standby.query(name, caughtUp))[0]?.['yes'] === true;
        });
        replication.refuse(true);
        replication.cut();
      },
      goBack: async () => {
        service.refuse(true);
        service.cut();
        await primary.stop('immediate');
        await standby.promote();
        port = standby.port;
        service.refuse(false);
      },
    }));
    return {
      ...database,
      [Symbol.asyncDispose]: async () => {
        await service[Symbol.asyncDispose]();
        await replication[Symbol.asyncDispose]();
        await standby.stop('immediate');
        await primary.stop('immediate');
        await primary.start();
      },
    };
  }

  async #database(parts: (name: string) => Parts): Promise<Database> {
    this.#databases += 1;
    const name = `way_${this.#databases}`;
    await this.#cluster.query('postgres', `create database ${name}`);
    return {
      url: this.#cluster.urlOf(name),
      isLive: false,
      [Symbol.asyncDispose]: () => Promise.resolve(),
      ...parts(name),
    };
  }

  async #putCopyBack(): Promise<void> {
    await this.#cluster.stop('immediate');
    await this.#cluster.putCopyBack();
    await this.#cluster.start();
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let attempt = 1; !(await isSo()); attempt += 1) {
    if (attempt === MAX_LOOKS) throw new Error('the standby does not come up with the primary');
    await wait(LOOK_PAUSE_MS);
  }
}

type WayName = Exclude<keyof PostgresWays, typeof Symbol.asyncDispose>;

const NAMES: Readonly<Record<WayName, string>> = {
  plainDump: 'a dump loaded while gateways run',
  customDump: 'a dump loaded by pg_restore',
  copiedDataDirectory: 'its data directory copied, put back under gateways that run',
  baseBackup: 'its data directory restored from pg_basebackup',
  promotedStandby: 'a standby promoted that lagged',
};

/** The files of a server do not show that they are older ones. */
const UNSEEN: readonly string[] = ['copiedDataDirectory', 'baseBackup'];

/** @param ways asked for when a test runs */
export function postgresWays(ways: () => PostgresWays): readonly (WayBack & { readonly name: string })[] {
  return Object.entries(NAMES).map(([key, name]) => ({
    name,
    told: UNSEEN.includes(key) ? [] : ['database_moved'],
    create: () => ways()[key as WayName](),
  }));
}
