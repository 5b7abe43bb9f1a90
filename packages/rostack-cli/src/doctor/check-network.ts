import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { reasonOf } from 'rostack-client/node';
import { type Finding, fault, ok, warning } from './finding.ts';

const TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;
/** Certificates are normally renewed well before this. */
const MIN_DAYS_LEFT = 14;

const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];

/** Says when the environment names a proxy that Node does not use. */
export function checkProxy(environment: Readonly<Record<string, string | undefined>>): Finding[] {
  const found = PROXY_VARIABLES.filter((name) => (environment[name] ?? '') !== '');
  if (found.length === 0) return [];
  const names = found.join(' and ');
  if (environment.NODE_USE_ENV_PROXY === '1') {
    return [
      warning(
        'proxy',
        `${names} is set, and Node's fetch uses it; its WebSocket does not.`,
        'If the check of the WebSocket fails, ask for a direct way to the server.',
      ),
    ];
  }
  return [
    warning(
      'proxy',
      `${names} is set, but Node does not use it by itself.`,
      'If this network can be left through the proxy only, start with NODE_USE_ENV_PROXY=1.',
    ),
  ];
}

/** Finds the addresses of the host. */
export async function checkDns(url: URL): Promise<Finding> {
  const host = hostOf(url);
  try {
    const addresses = await lookup(host, { all: true });
    return ok('dns', `${host} is ${addresses.map(({ address }) => address).join(', ')}.`);
  } catch (error) {
    return fault(
      'dns',
      `${host} has no address: ${reasonOf(error)}.`,
      'Check the spelling of the host name.',
    );
  }
}

/** Opens a TCP connection. */
export async function checkConnection(url: URL): Promise<Finding> {
  const port = portOf(url);
  const startMs = performance.now();
  const socket = connectPlain({ host: hostOf(url), port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return ok('connection', `Port ${port} answers within ${Math.round(performance.now() - startMs)} ms.`);
  } catch (error) {
    const reason = isTimeout(error) ? `no answer within ${TIMEOUT_MS} ms` : reasonOf(error);
    return fault(
      'connection',
      `Port ${port} of ${hostOf(url)} cannot be reached: ${reason}.`,
      'Check that the server runs there, and that no firewall is in between.',
    );
  } finally {
    socket.destroy();
  }
}

/** Looks at the certificate. */
export async function checkTls(url: URL): Promise<Finding> {
  const host = hostOf(url);
  const socket = connectSecure({
    host,
    port: portOf(url),
    ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { valid_to: until } = socket.getPeerCertificate();
    const daysLeft = Math.floor((Date.parse(until) - Date.now()) / DAY_MS);
    const says = `${socket.getProtocol() ?? 'TLS'}, with a certificate that is trusted here, valid for ${daysLeft} days.`;
    return daysLeft >= MIN_DAYS_LEFT
      ? ok('tls', says)
      : warning('tls', says, 'Tell whoever runs the server to renew the certificate.');
  } catch (error) {
    const reason = isTimeout(error) ? `no answer within ${TIMEOUT_MS} ms` : reasonOf(error);
    return fault('tls', `TLS fails: ${reason}.`, 'Nothing is sent over a connection that is not trusted.');
  } finally {
    socket.destroy();
  }
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80);

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
