import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { FaultProxy } from 'test-support/fault-proxy';
import type { Random } from 'test-support/random';
import { LossyNotify } from './lossy-notify.ts';
import type { SoakDatabase } from './soak-database.ts';

/** How a server is really restarted, where it is ours. */
export type RestartServer = (downMs: number) => Promise<void>;

/**
 * A database on a running server, reached through a proxy. A restart ends all its connections, in the middle of their queries, and
 * turns new ones away; with `restartServer` the server itself goes down.
 */
export async function createPostgresSoakDatabase(
  serverUrl: string,
  random: Random,
  restartServer?: RestartServer,
): Promise<SoakDatabase> {
  const name = `rostack_soak_${randomBytes(6).toString('hex')}`;
  await execute(serverUrl, `create database ${name}`);
  const direct = new URL(serverUrl);
  direct.pathname = `/${name}`;
  const host = direct.hostname;
  const proxy = await FaultProxy.start(() => [{ host, port: Number(direct.port || 5432) }]);
  const proxied = new URL(direct);
  proxied.hostname = '127.0.0.1';
  proxied.port = String(proxy.port);
  const hints = new LossyNotify(direct.href, random);

  const end = (condition: string) =>
    execute(
      serverUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and ${condition}`,
    );
  /** A server of our own that is down at the moment has no connections to end. */
  const whileUp = (work: () => Promise<void>) =>
    work().catch((error: unknown) => {
      if (restartServer === undefined) throw error;
    });
  const breakConnections = async (downMs: number) => {
    proxy.refuse(true);
    await end('true');
    proxy.cut();
    await wait(downMs);
    proxy.refuse(false);
  };
  return {
    kind: 'postgres',
    url: proxied.href,
    directUrl: direct.href,
    hints,
    loseHints: (share) => hints.lose(share),
    restart: restartServer ?? breakConnections,
    endConnections: (share) => whileUp(() => end(`random() < ${share}`)),
    endListeners: () => whileUp(() => end(`query ilike 'listen %'`)),
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]();
      await hints[Symbol.asyncDispose]();
      await execute(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
