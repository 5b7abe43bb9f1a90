import type { IncomingMessage } from 'node:http';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import ipaddr from 'ipaddr.js';
import type { TrustedProxies } from './trusted-proxies.ts';

const IPV6_NETWORK_BYTES = 8;

/** Where a request claims to come from, and where it does come from. */
export interface ClientAddresses {
  /** The field `X-Forwarded-For`. */
  readonly forwardedFor: string | undefined;
  /** Of the socket; undefined for a request that never went over one. */
  readonly remote: string | undefined;
}

/** The network that a request comes from: an IPv4 address, or the first 64 bits of an IPv6 one, which one household shares. */
export function clientNetwork({ forwardedFor, remote }: ClientAddresses, proxies: TrustedProxies): string {
  const address = proxies.clientOf(forwardedFor, remote);
  if (address === undefined) return remote ?? 'unknown';
  if (address.kind() === 'ipv4') return address.toString();
  return ipaddr.fromByteArray(address.toByteArray().fill(0, IPV6_NETWORK_BYTES)).toString();
}

export function messageAddresses({ headers, socket }: IncomingMessage): ClientAddresses {
  return { forwardedFor: headers['x-forwarded-for']?.toString(), remote: socket.remoteAddress };
}

export function contextAddresses(c: Context): ClientAddresses {
  const bound = (c.env as { incoming?: unknown } | undefined)?.incoming !== undefined;
  return {
    forwardedFor: c.req.header('x-forwarded-for'),
    remote: bound ? getConnInfo(c).remote.address : undefined,
  };
}
