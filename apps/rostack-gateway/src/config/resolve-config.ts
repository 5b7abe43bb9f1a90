import { join, resolve } from 'node:path';
import { type ConfigMistake, formatPath } from './config-error.ts';
import type { ParsedConfig } from './config-model.ts';
import type { GatewayConfig, TlsConfig } from './gateway-config.ts';
import { POSTGRES_URL, STORE_URL } from './model/secret.ts';
import type { ReferenceReader } from './reference-reader.ts';

const MIN_KEYS_LENGTH = 32;
const MIN_ADMIN_TOKEN_LENGTH = 16;

/** Reads secrets and schemas and makes paths absolute. Whatever cannot be read is added to the reader's mistakes. */
export async function resolveConfig(parsed: ParsedConfig, reader: ReferenceReader): Promise<GatewayConfig> {
  const { keys, listeners, hints, metrics, telemetry } = parsed;
  const dataDir = reader.path(parsed.dataDir);
  const config: GatewayConfig = {
    ...parsed,
    dataDir,
    authentication: await resolveAuthentication(parsed.authentication, reader),
    keys: keys && (await reader.text(keys, ['keys'], MIN_KEYS_LENGTH)),
    listeners: {
      data: { ...listeners.data, tls: await resolveTls(listeners.data.tls, reader) },
      admin: listeners.admin && {
        ...listeners.admin,
        token: await reader.text(
          listeners.admin.token,
          ['listeners', 'admin', 'token'],
          MIN_ADMIN_TOKEN_LENGTH,
        ),
      },
    },
    store: {
      ...parsed.store,
      url: await resolveStoreUrl(parsed.store.url, dataDir, reader),
      directUrl: await resolveDirectUrl(parsed.store.directUrl, reader),
    },
    hints: {
      ...hints,
      natsToken: hints.natsToken && (await reader.text(hints.natsToken, ['hints', 'nats_token'])),
    },
    resources: await mapValues(parsed.resources, async ({ schemaFile, ...resource }, name) => {
      const path = ['resources', name];
      return {
        ...resource,
        schema: await reader.jsonSchema(schemaFile, [...path, 'schema']),
        representations: await mapValues(
          resource.representations,
          async ({ schemaFile: file, ...rest }, type) => ({
            ...rest,
            schema:
              file === undefined
                ? undefined
                : await reader.jsonSchema(file, [...path, 'representations', type, 'schema']),
          }),
        ),
      };
    }),
    schemas: await mapValues(parsed.schemas, (file, name) => reader.jsonSchema(file, ['schemas', name])),
    metrics: {
      ...metrics,
      canary: metrics.canary && {
        ...metrics.canary,
        token: await reader.text(metrics.canary.token, ['metrics', 'canary', 'token']),
      },
    },
    telemetry: {
      ...telemetry,
      otlpHeaders:
        telemetry.otlpHeaders && (await reader.text(telemetry.otlpHeaders, ['telemetry', 'otlp_headers'])),
    },
  };
  reader.mistakes.push(
    ...connectionMistakes(config),
    ...postgresMistakes(config),
    ...canaryMistakes(config),
    ...replicaMistakes(config),
    ...workerMistakes(config),
  );
  return config;
}

async function resolveAuthentication(
  { oauth2, furtherOauth2, ...others }: ParsedConfig['authentication'],
  reader: ReferenceReader,
): Promise<GatewayConfig['authentication']> {
  const servers = [
    ...(oauth2 === undefined ? [] : [{ server: oauth2, path: ['oauth2'] }]),
    ...furtherOauth2.map((server, index) => ({ server, path: ['further_oauth2', index] })),
  ];
  const resolved = servers.map(async ({ server: { introspection, ...server }, path }) => {
    const place = ['authentication', ...path, 'introspection', 'client_secret'];
    return {
      ...server,
      introspection: introspection && {
        ...introspection,
        clientSecret: await reader.text(introspection.clientSecret, place),
      },
    };
  });
  return { ...others, oauth2: await Promise.all(resolved) };
}

async function mapValues<From, To>(
  members: Readonly<Record<string, From>>,
  change: (member: From, name: string) => Promise<To>,
): Promise<Record<string, To>> {
  const changed = Object.entries(members).map(
    async ([name, member]) => [name, await change(member, name)] as const,
  );
  return Object.fromEntries(await Promise.all(changed));
}

async function resolveTls(
  tls: ParsedConfig['listeners']['data']['tls'],
  reader: ReferenceReader,
): Promise<TlsConfig> {
  if (typeof tls === 'string') return { mode: tls };
  const path = ['listeners', 'data', 'tls'];
  const files = { certificateFile: reader.path(tls.certificate), keyFile: reader.path(tls.key) };
  const certificate = await reader.text({ file: tls.certificate }, [...path, 'certificate']);
  const key = await reader.text({ file: tls.key }, [...path, 'key']);
  if (certificate !== '' && key !== '') await reader.certificate(files, path);
  return { mode: 'files', ...files };
}

async function resolveStoreUrl(
  url: ParsedConfig['store']['url'],
  dataDir: string,
  reader: ReferenceReader,
): Promise<string> {
  if (url === undefined) return `sqlite:${join(dataDir, 'store.db')}`;
  const text = typeof url === 'string' ? url : await reader.text(url, ['store', 'url']);
  if (text !== '' && !STORE_URL.test(text)) {
    const message =
      'store.url: what it refers to is not a store URL; put sqlite:FILE or postgres://... there.';
    reader.mistakes.push({ path: ['store', 'url'], message });
  }
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(text)?.[1];
  return file === undefined || file === ':memory:' ? text : `sqlite:${resolve(reader.path('.'), file)}`;
}

/** Limits of WebSockets that are higher than the data listener's limits of TCP connections. */
function connectionMistakes({ limits, listeners: { data } }: GatewayConfig): ConfigMistake[] {
  const { max, maxPerAddress } = data.connections;
  const tooMany = (limit: string, room: string, most: number): ConfigMistake => ({
    path: ['limits', limit],
    message: `limits.${limit} is more than listeners.data.connections.${room} (${most}) has room for; write at most that, or more there.`,
  });
  // A proxy carries the WebSockets of many addresses, and its own address has no limit.
  const isDirect = data.trustedProxies.length === 0;
  return [
    ...(limits.maxConnections > max ? [tooMany('max_connections', 'max', max)] : []),
    ...(isDirect && limits.maxConnectionsPerAddress > maxPerAddress
      ? [tooMany('max_connections_per_address', 'max_per_address', maxPerAddress)]
      : []),
  ];
}

async function resolveDirectUrl(
  url: ParsedConfig['store']['directUrl'],
  reader: ReferenceReader,
): Promise<string | undefined> {
  if (url === undefined || typeof url === 'string') return url;
  const path = ['store', 'direct_url'];
  const text = await reader.text(url, path);
  if (text !== '' && !POSTGRES_URL.test(text)) {
    const message = 'store.direct_url: what it refers to is not a PostgreSQL URL; put postgres://... there.';
    reader.mistakes.push({ path, message });
  }
  return text;
}

/** Why the canary's record could not be written, or its event not recognized. A replica writes none, so there nothing is wrong. */
function canaryMistakes({ metrics: { canary }, resources, store }: GatewayConfig): ConfigMistake[] {
  if (canary === undefined || store.role === 'replica') return [];
  const resource = resources[canary.resource];
  const fault =
    resource === undefined
      ? 'is not a resource; write one of those in resources'
      : resource.source !== undefined
        ? 'takes its records from a table, so nothing else writes them; write another resource'
        : resource.visible !== undefined || Object.keys(resource.events).length === 0
          ? 'needs events and no row rule; write another resource'
          : undefined;
  if (fault === undefined) return [];
  const message = `metrics.canary.resource: ${canary.resource} ${fault}.`;
  return [{ path: ['metrics', 'canary', 'resource'], message }];
}

/** Processes cannot share a store in memory. */
function workerMistakes({ workers, store }: GatewayConfig): ConfigMistake[] {
  if (workers === 1 || store.url !== 'sqlite::memory:') return [];
  const message = 'workers: processes cannot share a store in memory; write 1, or a store.url with a file.';
  return [{ path: ['workers'], message }];
}

/** Settings that only a PostgreSQL store supports. */
function postgresMistakes({ store, hints, rates }: GatewayConfig): ConfigMistake[] {
  if (!store.url.startsWith('sqlite:')) return [];
  const paths = [
    ...(store.directUrl === undefined ? [] : [['store', 'direct_url']]),
    ...(store.role === 'primary' ? [] : [['store', 'role']]),
    ...(rates.isShared ? [['rates', 'shared']] : []),
    ...(hints.natsServers.length === 0 ? [] : [['hints', 'nats_servers']]),
  ];
  return paths.map((path) => ({
    path,
    message: `${formatPath(path)} needs a PostgreSQL store; write store.url: postgres://... or leave it out.`,
  }));
}

/** Settings that would make a replica write. */
function replicaMistakes({ store, rates, metrics }: GatewayConfig): ConfigMistake[] {
  if (store.role === 'primary') return [];
  const paths = [
    ...(rates.isShared ? [['rates', 'shared']] : []),
    ...(metrics.canary === undefined ? [] : [['metrics', 'canary']]),
  ];
  return paths.map((path) => ({
    path,
    message: `${formatPath(path)} is written to the database, which a replica only reads; leave it out with store.role: replica.`,
  }));
}
