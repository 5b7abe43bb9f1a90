import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join, resolve } from 'node:path';
import type { Change, Head, RecordSource } from 'rostack-core';
import type { Authenticator } from 'rostack-server';
import { type Store, StoreUnavailableError } from 'rostack-store';
import { localhostCertificate } from 'test-support/certificate';
import { type Accepts, limitConstants, numbered, succeeds } from 'test-support/limit-constants';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { failedAttempts } from '../src/admin/admin-listener.ts';
import { LeaderLogCache } from '../src/cluster/peers/leader-log-cache.ts';
import { Acceptor } from '../src/cluster/workers/acceptor.ts';
import {
  fetchJson,
  type LoadOptions,
  loadImplementation,
} from '../src/config/compatibility/load-implementation.ts';
import { describeIssue } from '../src/config/fault/describe-issue.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { defineConfigured } from '../src/config/model/configured-implementation.ts';
import { ReferenceReader, Unreadable } from '../src/config/section/reference-reader.ts';
import { readYaml } from '../src/config/yaml-file.ts';
import { deleteMissing } from '../src/import/delete-missing.ts';
import { QuarantineWatch } from '../src/observe/health/quarantine-watch.ts';
import { ReadinessCheck } from '../src/observe/health/readiness.ts';
import { createScrubber } from '../src/observe/log/scrub.ts';
import { serverOptions } from '../src/serving/listener/connection-guard.ts';
import { notingUses } from '../src/serving/token/authenticators.ts';
import { readTextFile } from '../src/text/text-file.ts';
import { line, openStations, runImport } from './support/importing.ts';
import { runCommand } from './support/run-command.ts';
import { writeSampleConfig } from './support/sample-config.ts';

const SOURCES = resolve(import.meta.dirname, '../src');

/** Serves texts by their paths, at two URLs: a handshake for each of many requests takes long. */
async function serving<T>(
  textOf: (path: string, urls: Readonly<Record<'secure' | 'plain', string>>) => string,
  ask: (url: string, options: LoadOptions) => Promise<T>,
): Promise<T> {
  const certificate = await localhostCertificate();
  const answer: RequestListener = (request, response) => void response.end(textOf(request.url ?? '', urls));
  const servers = [createSecureServer(certificate, answer), createServer(answer)] as const;
  const [securePort, plainPort] = await Promise.all(
    servers.map(async (server) => {
      server.listen(0, 'localhost');
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    }),
  );
  const urls = { secure: `https://localhost:${securePort}`, plain: `http://localhost:${plainPort}` };
  try {
    return await ask(urls.secure, { authorities: certificate.cert, timeoutMs: 60_000 });
  } finally {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  }
}

/** Whether changes that a lead tells of are read from memory. */
async function isKept(changes: readonly Pick<Change, 'after'>[]): Promise<boolean> {
  const source = { read: () => Promise.reject(new Error('the store was asked')) };
  const told = new LeaderLogCache(source as unknown as RecordSource);
  const head: Head = { position: changes.length, floor: 0, epoch: 'e', tag: `t${changes.length}` };
  told.take({
    resource: 'stations',
    head,
    tagBefore: '',
    changes: changes.map((change, index) => ({ ...change, tag: `t${index + 1}` }) as Change),
  });
  return succeeds(told.source.read(0, 1, ''));
}

/** Whether a secret of the environment may be so short. */
async function isEnough(name: 'ADMIN_TOKEN' | 'KEYS', length: number): Promise<boolean> {
  await using folder = await temporaryFolder();
  const sections =
    'keys: { env: KEYS }\nlisteners: { data: { port: 0 }, admin: { port: 0, token: { env: ADMIN_TOKEN } } }';
  const file = await writeSampleConfig(folder.path, { sections });
  const environment = { ADMIN_TOKEN: 'x'.repeat(99), KEYS: 'x'.repeat(99), [name]: 'x'.repeat(length) };
  return await succeeds(loadConfig(file, { environment }));
}

/** By its constant: the largest size that is within the limit, and how to tell. Of a least size, the smallest. */
const LIMITS: Readonly<Record<string, readonly [limit: number, accepts: Accepts]>> = {
  'admin/admin-listener.ts MAX_FAILURES': [
    10,
    async (failures) => {
      const limiter = failedAttempts();
      const waits: number[] = [];
      for (const _ of numbered(failures)) waits.push(await limiter.consume('failure', '192.0.2.1', 1));
      return waits.every((waitMs) => waitMs === 0);
    },
  ],
  'cli/commands/token.ts MAX_PRINCIPAL_LENGTH': [
    200,
    async (length) => {
      await using folder = await temporaryFolder();
      const config = await writeSampleConfig(folder.path);
      const argv = ['token', 'create', '--config', config, '--no-grants', '--principal', 'x'.repeat(length)];
      return (await runCommand(argv)).exitCode === 0;
    },
  ],
  'config/compatibility/load-implementation.ts MAX_BYTES': [
    10_485_760,
    (bytes) =>
      serving(
        () => `"${'x'.repeat(bytes - 2)}"`,
        (url, options) => succeeds(fetchJson(url, options)),
      ),
  ],
  'config/compatibility/load-implementation.ts MAX_SCHEMAS': [
    1_000,
    async (schemas) => {
      await using folder = await temporaryFolder();
      const config = await loadConfig(await writeSampleConfig(folder.path), { environment: {} });
      const { discovery } = defineConfigured(config, 'https://data.example');
      // Each schema refers to the next one.
      const schemaOf = (path: string, url: string) => {
        const next = Number(path.slice(1)) + 1;
        return JSON.stringify(next < schemas ? { $ref: `${url}/${next}` } : {});
      };
      const documentOn = (url: string) =>
        JSON.stringify(discovery).replaceAll(/"schema_url":"[^"]*"/g, `"schema_url":"${url}/0"`);
      return await serving(
        (path, { secure, plain }) =>
          path.startsWith('/.well-known') ? documentOn(secure) : schemaOf(path, plain),
        (url, options) => succeeds(loadImplementation(url, options)),
      );
    },
  ],
  'config/fault/describe-issue.ts MAX_SHOWN': [
    60,
    // The quotes are shown too.
    (length) => {
      const issue = { code: 'custom', path: ['workers'], input: 'x'.repeat(length - 2) };
      const [mistake] = describeIssue({ ...issue, message: 'Invalid input' } as Parameters<
        typeof describeIssue
      >[0]);
      return mistake?.message.includes('...') === false;
    },
  ],
  'config/section/operation-sections.ts MAX_WORKERS': [
    256,
    async (workers) => {
      await using folder = await temporaryFolder();
      const file = await writeSampleConfig(folder.path, { sections: `workers: ${workers}` });
      return await succeeds(loadConfig(file, { environment: {} }));
    },
  ],
  'config/model/config-sections.ts MIN_KEYS_LENGTH': [32, (length) => isEnough('KEYS', length)],
  'config/section/listeners-section.ts MIN_ADMIN_TOKEN_LENGTH': [
    16,
    (length) => isEnough('ADMIN_TOKEN', length),
  ],
  'config/section/reference-reader.ts MAX_SCHEMA_LEVELS': [
    256,
    async (levels) => {
      await using folder = await temporaryFolder();
      await writeFile(
        join(folder.path, 'deep.json'),
        `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`,
      );
      const reader = new ReferenceReader({ folder: folder.path, environment: {} });
      return !((await reader.jsonSchema('deep.json')) instanceof Unreadable);
    },
  ],
  'config/yaml-file.ts MAX_ALIASES': [
    // What they stand for counts too.
    99,
    (aliases) =>
      readYaml(
        `a: &a [1]\nb: [${numbered(aliases)
          .map(() => '*a')
          .join()}]`,
      ).fault === undefined,
  ],
  'text/nesting.ts MAX_LEVELS': [
    64,
    (levels) => readYaml(`${'['.repeat(levels)}${']'.repeat(levels)}`).fault === undefined,
  ],
  'import/delete-missing.ts MAX_DELETED_AT_ONCE': [
    20_000,
    async (records) => {
      const sizes: number[] = [];
      const bodies = Buffer.from(
        numbered(records)
          .map((id) => `{"id":"${id}"}`)
          .join(),
      );
      const source = {
        page: async () => ({ head: { position: 1 }, bodies, next: undefined }),
        get: async () => ({ position: 1, version: 'v' }),
      };
      const deleted = await deleteMissing({
        store: {
          source: () => source,
          apply: async (changes: readonly unknown[]) => sizes.push(changes.length),
        } as unknown as Store,
        resource: 'stations',
        idPath: ['id'],
        startPosition: 1,
        isKept: () => false,
        event: undefined,
        dryRun: false,
      });
      expect(deleted).toBe(records);
      return sizes.length === 1;
    },
  ],
  'import/import-records.ts MAX_TRIES': [
    5,
    async (tries) => {
      await using store = await openStations();
      const apply = store.apply.bind(store);
      let tried = 0;
      store.apply = async (changes) => {
        tried += 1;
        if (tried < tries) throw new StoreUnavailableError('no database');
        return apply(changes);
      };
      return await succeeds(runImport(store, line('a', 1)));
    },
  ],
  'serving/listener/connection-guard.ts MAX_CHECK_INTERVAL_MS': [
    1_000,
    (intervalMs) => {
      const options = serverOptions({
        max: 1,
        maxPerAddress: 1,
        headersTimeoutMs: 4 * intervalMs,
        keepAliveTimeoutMs: 1,
        idleTimeoutMs: 1,
      });
      return options.connectionsCheckingInterval === intervalMs;
    },
  ],
  'cluster/peers/leader-log-cache.ts MAX_CHANGES': [
    1_024,
    (count) => isKept(numbered(count).map(() => ({ after: '{}' }))),
  ],
  'cluster/peers/leader-log-cache.ts MAX_CHARACTERS': [
    8_388_608,
    (length) => isKept([{ after: 'x'.repeat(length) }]),
  ],
  'observe/health/readiness.ts MAX_CAUSES': [
    5,
    async (causes) => {
      let error: Error = Object.assign(new Error('the innermost'), { code: 'ENOSPC' });
      for (let outer = 1; outer < causes; outer += 1) error = new Error('because', { cause: error });
      const source = { head: () => Promise.reject(error) };
      const limits = { maxTailLagMs: 1, storeTimeoutMs: 60_000, writeTrialIntervalMs: 1 };
      const { reasons } = await new ReadinessCheck(limits).look({
        resources: ['stations'],
        store: { source: () => source, status: { writeFault: undefined } } as unknown as Store,
        status: undefined,
        tables: [],
        quarantine: new QuarantineWatch({ store: undefined, tables: [] }),
        isDraining: false,
      });
      return reasons.store?.includes('ENOSPC') === true;
    },
  ],
  'observe/log/scrub.ts MIN_SECRET_LENGTH': [
    8,
    (length) => createScrubber(['x'.repeat(length)])(`is ${'x'.repeat(length)}`) === 'is [redacted]',
  ],
  'text/text-file.ts MAX_FILE_BYTES': [
    16_777_216,
    async (bytes) => {
      await using folder = await temporaryFolder();
      const file = join(folder.path, 'long.txt');
      await writeFile(file, 'x'.repeat(bytes));
      return succeeds(readTextFile(file));
    },
  ],
  'serving/token/authenticators.ts MAX_REMEMBERED': [
    10_000,
    async (tokens) => {
      const noted: string[] = [];
      const accepting = {
        method: 'shared_token',
        authenticate: (token: string) => ({ kind: 'authenticated', credential: { credentialId: token } }),
      } as unknown as Authenticator;
      const noteUse = async (tokenId: string) => void noted.push(tokenId);
      const authenticator = notingUses(accepting, { noteUse }, () => {});
      const use = (token: number) => authenticator.authenticate(`token ${token}`, 1_000_000);
      for (const token of numbered(tokens)) await use(token);
      await use(0);
      return noted.length === tokens;
    },
  ],
  'cluster/workers/acceptor.ts MAX_WAITING': [
    1_000,
    async (connections) => {
      using acceptor = await Acceptor.bind({
        host: '127.0.0.1',
        port: 0,
        limits: { max: 10_000, maxPerAddress: 10_000 },
        isProxy: () => false,
        handOver: () => 'later',
      });
      const sockets = numbered(connections).map(() => connect(acceptor.port, '127.0.0.1'));
      for (const socket of sockets) socket.on('error', () => {});
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      const last = connect(acceptor.port, '127.0.0.1').on('error', () => {});
      // At the limit the last one is refused, and nobody before it; beyond it, one before it too.
      await expect.poll(() => acceptor.refused.inAll).toBe(connections - 999);
      for (const socket of [...sockets, last]) socket.destroy();
      return acceptor.refused.inAll === 1;
    },
  ],
};

/** What refuses nothing, and why. */
const BOUNDS: Readonly<Record<string, string>> = {
  'cli/commands/status.ts MAX_PORT': 'ports have no greater numbers',
  'serving/gateway/description-routes.ts MAX_AGE_S': 'how long a client may keep a description',
  'serving/listener/trusted-proxies.ts MAX_REMEMBERED': 'an address that is forgotten is looked at again',
  'observe/log/bounded-writes.ts MAX_UNREAD_BYTES': 'lines beyond it are counted, and the count is logged',
  'observe/log/repeats.ts MAX_COUNTED': 'what is beyond it is said each time',
  'observe/health/canary.ts MAX_EARLY': 'more events before the answer to a write are those of others',
  'publish/file-table.ts MAX_COUNTED_VALUES': 'more values of a member are many, and it gets no filter',
  'publish/file-table.ts MAX_KEY_VALUES':
    'a member that may have a million different values is not tried as a key',
  'publish/read-file-table.ts MAX_RECORD_BYTES': 'a longer record is not looked at; the import refuses it',
  'cluster/workers/supervisor.ts MAX_PAUSE_MS': 'a pause',
  'cluster/workers/supervisor.ts MIN_PAUSE_MS': 'a pause',
};

test('each limit of the sources is in a table', () => {
  expect(limitConstants(SOURCES)).toEqual([...Object.keys(LIMITS), ...Object.keys(BOUNDS)].sort());
});

test.each(Object.entries(LIMITS))(
  '%s is allowed, and nothing beyond it',
  async (constant, [limit, accepts]) => {
    const beyond = constant.includes(' MIN_') ? -1 : 1;
    expect([await accepts(limit), await accepts(limit + beyond)]).toEqual([true, false]);
  },
);
