import { once } from 'node:events';
import {
  createServer as createPlainServer,
  type IncomingMessage,
  type Server as PlainServer,
  type ServerResponse,
} from 'node:http';
import { createServer, Server } from 'node:https';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { defineError } from 'rostack-core';
import { answerRefusal } from 'rostack-server';
import type { Peers } from '../../cluster/peers/peers.ts';
import type { DataListenerConfig } from '../../config/model/gateway-config.ts';
import { CertificateFiles } from '../certificates/certificate-files.ts';
import { ensureDevelopmentCertificate } from '../certificates/development-certificate.ts';
import { ConnectionGuard, serverOptions } from './connection-guard.ts';
import { TrustedProxies } from './trusted-proxies.ts';

/** A server for the protocol that has no request handler yet. */
export interface Listener {
  readonly server: Server | PlainServer;
  readonly port: number;
  readonly connections: ConnectionGuard;
  /** The development certificate, for `curl --cacert`; undefined with any other. */
  readonly developmentCertificatePath: string | undefined;
  /** When the certificate in use expires, in milliseconds since 1970; undefined without TLS. */
  readonly certificateExpiresAtMs: () => number | undefined;
  /** Reads the certificate files again, if there are any. */
  readonly reloadCertificate: () => Promise<void>;
  /** Stops watching the certificate files. It does not close the server. */
  readonly stopWatching: () => void;
}

/** Limits for a process whose supervisor counts connections. */
const UNCOUNTED = { max: Number.POSITIVE_INFINITY, maxPerAddress: Number.POSITIVE_INFINITY };

/** Another process is listening on the port. */
export class PortInUseError extends defineError('PortInUseError', 'port_in_use', false) {
  constructor(port: number) {
    super(`Port ${port} is already in use.`);
  }
}

export interface ListenOptions {
  /** Folder of the development certificate. */
  readonly dataDir: string;
  /** Called with a line after an attempt to read the certificate files again. */
  readonly log: (line: string) => void;
  /** Supplies and counts the connections if other processes serve the same; undefined if there are none. */
  readonly machine?: Peers | undefined;
}

/**
 * Binds the data listener, so that its port is known before the URLs that depend on it. A worker's is bound by its supervisor.
 * @throws PortInUseError `port_in_use`
 * @throws CertificateError `certificate_invalid`
 */
export async function listen(
  config: DataListenerConfig,
  { dataDir, log, machine }: ListenOptions,
): Promise<Listener> {
  const { tls } = config;
  const rules = machine === undefined ? config.connections : { ...config.connections, ...UNCOUNTED };
  const proxies = new TrustedProxies(config.trustedProxies);
  const development =
    tls.mode === 'development' ? await ensureDevelopmentCertificate(dataDir, Date.now()) : undefined;
  const files = tls.mode === 'files' ? new CertificateFiles(tls, log, Date.now) : undefined;
  const pair = development
    ? { cert: development.certificatePem, key: development.keyPem }
    : await files?.read();
  const server =
    pair === undefined
      ? createPlainServer(serverOptions({ ...rules, handshakeTimeoutMs: undefined }))
      : createServer({ ...serverOptions(rules), ...pair });
  const connections = new ConnectionGuard(server, rules, (address) => proxies.isTrusted(address));
  const port = machine === undefined ? await bind(server, config) : machine.port;
  if (server instanceof Server) files?.watch(server);
  return {
    server,
    port,
    connections,
    developmentCertificatePath: development?.certificatePath,
    certificateExpiresAtMs: () => development?.expiresAtMs ?? files?.expiresAtMs,
    reloadCertificate: async () => {
      if (server instanceof Server) await files?.reload(server);
    },
    stopWatching: () => files?.close(),
  };
}

/** Replaces a listener with a server that never listens, for requests that another server passes on. Its port is 0. */
export function unboundListener(config: DataListenerConfig): Listener {
  const server = createPlainServer();
  const proxies = new TrustedProxies(config.trustedProxies);
  return {
    server,
    port: 0,
    connections: new ConnectionGuard(server, config.connections, (address) => proxies.isTrusted(address)),
    developmentCertificatePath: undefined,
    certificateExpiresAtMs: () => undefined,
    reloadCertificate: async () => {},
    stopWatching: () => {},
  };
}

/** Binds a server and returns its port. @throws PortInUseError `port_in_use` */
export async function bind(
  server: NetServer,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<number> {
  answerUntilServed(server);
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new PortInUseError(port);
    throw error;
  }
  return (server.address() as AddressInfo).port;
}

/** Answers with 503 until the server has a handler: without one its clients would wait forever. */
function answerUntilServed(server: NetServer): void {
  if (server.listenerCount('request') > 0) return;
  const answer = (_request: IncomingMessage, response: ServerResponse): void => {
    answerRefusal(response, { status: 503, reason: 'The gateway is starting.' });
  };
  server.on('request', answer);
  server.once('newListener', function giveWay(event) {
    if (event === 'request') server.off('request', answer);
    else server.once('newListener', giveWay);
  });
}
