import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { reading } from './reference-reader.ts';
import { secret } from './secret.ts';
import { count, duration, filePath, flag, host, port, text, value } from './values.ts';

const tls = value(
  z.union([
    z.enum(['development', 'off', 'loopback']).transform((mode) => ({ mode })),
    z
      .strictObject({
        certificate: filePath('PEM file: the certificate, then those of the authorities between.'),
        key: filePath('PEM file: the private key.'),
      })
      .transform(reading((reader, files) => reader.certificate(files)))
      .transform((files) => ({ mode: 'files' as const, ...files })),
  ]),
  {
    description:
      'development: a certificate for localhost that the gateway makes; { certificate, key }: files, read again when they change or on SIGHUP; off: a proxy in front does it; loopback: none, for programs and browsers on this computer only.',
    write: 'development, off, loopback, or { certificate: FILE, key: FILE }',
  },
);

const networkOrAddress = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);
const network = value(
  z.string().refine((text) => networkOrAddress.safeParse(text).success),
  { write: 'an IP address or a network such as 10.0.0.0/8' },
);

const connectionCounts = (max: number, maxPerAddress: number) => ({
  max: count(1, 1_000_000, 'TCP connections in all, WebSockets among them.').default(max),
  max_per_address: count(
    1,
    1_000_000,
    'TCP connections of one address; of trusted_proxies as many as in all.',
  ).default(maxPerAddress),
  headers_timeout: duration('100ms', '10m', 'For the head of a request, from a new connection on.').prefault(
    '10s',
  ),
  keep_alive_timeout: duration('100ms', '1h', 'Between two requests of a connection.').prefault('5s'),
});

const dataConnections = z
  .strictObject({
    ...connectionCounts(25_000, 500),
    handshake_timeout: duration('100ms', '10m', 'For the TLS handshake.').prefault('10s'),
    request_timeout: duration('100ms', '1h', 'For a whole request; at least headers_timeout.').prefault(
      '30s',
    ),
    idle_timeout: duration('1s', '1d', 'Without a byte while a request is answered.').prefault('60s'),
  })
  .refine(({ headers_timeout, request_timeout }) => headers_timeout <= request_timeout, {
    path: ['request_timeout'],
    message: 'is shorter than headers_timeout; write at least that (10s unless written)',
  })
  .transform((section) => ({
    max: section.max,
    maxPerAddress: section.max_per_address,
    handshakeTimeoutMs: section.handshake_timeout,
    headersTimeoutMs: section.headers_timeout,
    requestTimeoutMs: section.request_timeout,
    keepAliveTimeoutMs: section.keep_alive_timeout,
    idleTimeoutMs: section.idle_timeout,
  }));

const adminConnections = z
  .strictObject({
    ...connectionCounts(1_000, 200),
    idle_timeout: duration('1s', '1d', 'Without a byte: a stream of changes may rest that long.').prefault(
      '10m',
    ),
  })
  .transform((section) => ({
    max: section.max,
    maxPerAddress: section.max_per_address,
    headersTimeoutMs: section.headers_timeout,
    keepAliveTimeoutMs: section.keep_alive_timeout,
    idleTimeoutMs: section.idle_timeout,
  }));

const LOOPBACK_NAMES = new Set(['localhost', 'localhost.']);
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return LOOPBACK_NAMES.has(host);
  return LOOPBACK.check(host, version === 6 ? 'ipv6' : 'ipv4');
}

/** The listener of the protocol. */
export const dataListener = z
  .strictObject({
    host: host.default('127.0.0.1'),
    port: port.default(8443),
    tls: tls.prefault('development'),
    trusted_proxies: z.array(network).default([]).meta({
      description:
        'Addresses and networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed. With tls: off nobody else may connect.',
      write: 'a list of addresses and networks, such as [10.0.0.0/8]',
    }),
    stripped_path_prefix: value(z.string().regex(/^(?:\/[^/?#]+)*$/), {
      description: 'Path that the proxy takes off the front of requests, such as /rostack.',
      write: 'a path without a slash at its end, such as /rostack, or an empty string',
    }).default(''),
    hosts: z
      .array(
        text(
          'A value of the Host header.',
          'a host, with its port where it is not 443, such as localhost:8443',
        ),
      )
      .default([])
      .meta({
        description: 'Further values of Host that are answered, in addition to that of public_url.',
        write: 'a list of hosts, such as [localhost:8443]',
      }),
    connections: dataConnections
      .prefault({})
      .meta({ description: 'How many connections are held open, and for how long without a request.' }),
  })
  .refine(({ tls, trusted_proxies }) => tls.mode !== 'off' || trusted_proxies.length > 0, {
    path: ['tls'],
    message: 'is off, so a proxy has to be in front; write its address in trusted_proxies',
  })
  .refine(({ tls, host }) => tls.mode !== 'loopback' || isLoopback(host), {
    path: ['host'],
    message: 'is not loopback, but tls is; write 127.0.0.1 here, or another tls',
  })
  .transform((section) => ({
    host: section.host,
    port: section.port,
    /** Whether the listener does TLS itself, and with which certificate. */
    tls: section.tls,
    trustedProxies: section.trusted_proxies,
    strippedPathPrefix: section.stripped_path_prefix,
    hosts: section.hosts,
    connections: section.connections,
  }));

const MIN_ADMIN_TOKEN_LENGTH = 16;

/** The listener for operators. */
export const adminListener = z
  .strictObject({
    host: host.default('127.0.0.1'),
    port: port.default(8444),
    token: secret('What callers present as Authorization: Bearer.', MIN_ADMIN_TOKEN_LENGTH),
    allow_public: flag('Allows an address that is not loopback.').default(false),
    connections: adminConnections
      .prefault({})
      .meta({ description: 'How many connections are held open, and for how long without a request.' }),
  })
  .refine(({ host, allow_public }) => allow_public || isLoopback(host), {
    path: ['host'],
    message: 'is not loopback; write 127.0.0.1, or allow_public: true where a firewall keeps others out',
  })
  .transform(({ allow_public: allowPublic, ...section }) => ({
    ...section,
    /** At least 16 characters. */
    token: section.token,
    allowPublic,
  }));

/** Where the gateway listens: `data` for the protocol, `admin` for operators (none if it is absent). */
export const listenersSection = z
  .strictObject({
    data: dataListener
      .prefault({})
      .meta({ description: 'The protocol: JSON API, WebSocket gateway, documentation.' }),
    admin: adminListener
      .optional()
      .meta({ description: 'For operators: writes, health, metrics. Plain HTTP. Absent: there is none.' }),
  })
  .refine(({ data, admin }) => admin === undefined || admin.port === 0 || admin.port !== data.port, {
    path: ['admin', 'port'],
    message: 'is the port of the data listener too; write another',
  })
  .transform((section) => ({
    /** For the protocol. */
    data: section.data,
    /** For operators; undefined if there is none. */
    admin: section.admin,
  }));
