import { once } from 'node:events';
import {
  createServer as createPlainServer,
  type IncomingMessage,
  type Server as PlainServer,
  type ServerResponse,
} from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CertificateFiles } from '../certificates/certificate-files.ts';
import { ensureDevelopmentCertificate } from '../certificates/development-certificate.ts';
import type { DataListenerConfig } from '../config/gateway-config.ts';
import { ConnectionGuard, serverOptions } from './connection-guard.ts';
import { TrustedProxies } from './trusted-proxies.ts';

/** A server that listens already, but has no request handler yet. */
export interface Listener {
  readonly server: Server | PlainServer;
  readonly port: number;
  readonly connections: ConnectionGuard;
  /** The development certificate, for `curl --cacert`; undefined with any other. */
  readonly developmentCertificatePath: string | undefined;
  /** Reads the certificate files again; does nothing without such. */
  readonly reloadCertificate: () => Promise<void>;
  /** Ends what watches the certificate files; the server is closed by whoever serves on it. */
  readonly stopWatching: () => void;
}

/** Somebody else listens on the port. */
export class PortInUseError extends Error {
  override readonly name = 'PortInUseError';
  readonly code = 'port_in_use';
  readonly retryable = false;

  constructor(port: number) {
    super(`Port ${port} is already in use.`);
  }
}

export interface ListenOptions {
  /** Where the development certificate lies. */
  readonly dataDir: string;
  /** Told when certificate files were read again, or could not be. */
  readonly log: (line: string) => void;
}

/**
 * Binds the data listener, so that its port is known before the URLs that depend on it.
 * @throws PortInUseError `port_in_use`
 * @throws CertificateError `certificate_invalid`
 */
export async function listen(config: DataListenerConfig, { dataDir, log }: ListenOptions): Promise<Listener> {
  const { tls, connections: rules } = config;
  const proxies = new TrustedProxies(config.trustedProxies);
  const guard = (server: Server | PlainServer): ConnectionGuard =>
    new ConnectionGuard(server, rules, (address) => proxies.isTrusted(address));
  if (tls.mode === 'development') {
    const certificate = await ensureDevelopmentCertificate(dataDir, Date.now());
    const server = createServer({
      ...serverOptions(rules),
      cert: certificate.certificatePem,
      key: certificate.keyPem,
    });
    const connections = guard(server);
    const port = await bind(server, config);
    const developmentCertificatePath = certificate.certificatePath;
    return { ...UNWATCHED, server, port, connections, developmentCertificatePath };
  }
  if (tls.mode === 'off') {
    const server = createPlainServer(serverOptions({ ...rules, handshakeTimeoutMs: undefined }));
    const connections = guard(server);
    const port = await bind(server, config);
    return { ...UNWATCHED, server, port, connections, developmentCertificatePath: undefined };
  }
  const files = new CertificateFiles(tls, log);
  const server = createServer({ ...serverOptions(rules), ...(await files.read()) });
  const connections = guard(server);
  const port = await bind(server, config);
  files.watch(server);
  return {
    server,
    port,
    connections,
    developmentCertificatePath: undefined,
    reloadCertificate: () => files.reload(server),
    stopWatching: () => files.close(),
  };
}

const UNWATCHED = { reloadCertificate: async () => {}, stopWatching: () => {} };

/** Until somebody serves on it, a bound server answers with 503: without a handler its clients would wait for ever. */
function answerUntilServed(server: Server | PlainServer): void {
  if (server.listenerCount('request') > 0) return;
  const answer = (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(503, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Retry-After': '1',
      Connection: 'close',
    });
    response.end('The gateway is starting.\n');
  };
  server.on('request', answer);
  server.once('newListener', function giveWay(event) {
    if (event === 'request') server.off('request', answer);
    else server.once('newListener', giveWay);
  });
}

/** Binds a server and tells the port. @throws PortInUseError `port_in_use` */
export async function bind(
  server: Server | PlainServer,
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
