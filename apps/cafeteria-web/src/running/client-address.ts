import { isIPv6 } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/** The network that a request comes from: an IPv4 address, or the first 64 bits of an IPv6 one, which one household shares. */
export function clientNetwork(c: Context, trustProxy: boolean): string {
  const forwarded = trustProxy ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  const address = forwarded ?? socketAddress(c) ?? 'unknown';
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return isIPv6(plain) ? plain.split(':').slice(0, 4).join(':') : plain;
}

function socketAddress(c: Context): string | undefined {
  // Requests that never went over a socket have no such binding.
  return (c.env as { incoming?: unknown } | undefined)?.incoming === undefined
    ? undefined
    : getConnInfo(c).remote.address;
}
