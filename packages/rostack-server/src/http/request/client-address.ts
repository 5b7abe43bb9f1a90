import type { Context } from 'hono';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

const IPV6_SITE_BITS = 64;
/** Length of an IPv6 address with an embedded IPv4 address and a zone. */
const MAX_ADDRESS_LENGTH = 64;
const NO_ADDRESS = 'none';
/** Each request looks up its key, and most come from the same few addresses. */
const keys = new LRUCache<string, string>({ max: 1_000 });

/** Returns the address of a request's client, as a key for rate limits; undefined if unknown. */
export type ClientAddress = (c: Context) => string | undefined;

/**
 * Uses the address of the connection under `@hono/node-server`; behind reverse proxies, the entry of `X-Forwarded-For` that the outermost
 * trusted proxy wrote.
 * @param trustedProxies how many reverse proxies of yours are in front of the server; entries beyond them are not trusted
 */
export function clientAddressBehind(trustedProxies: number): ClientAddress {
  return (c) => addressBehind(trustedProxies, remoteAddressOf(c), c.req.header('x-forwarded-for'));
}

/** The key of a client's address, from the connection's address and `X-Forwarded-For`. */
export function addressBehind(
  trustedProxies: number,
  connection: string | undefined,
  forwardedFor: string | undefined,
): string | undefined {
  if (trustedProxies === 0) return addressKey(connection);
  const forwarded = forwardedFor?.split(',') ?? [];
  const entry = forwarded.at(-trustedProxies) ?? forwarded[0];
  return addressKey(entry === undefined ? connection : forwardedAddress(entry));
}

// An IP address, to which RFC 7239 section 6 and many proxies append a port: 203.0.113.7:51234, [2001:db8::1]:443, [2001:db8::1].
const WITH_PORT = /^(?:\[([\d:.a-f]+)\](?::\d+)?|([\d.]+):\d+)$/i;

/** The address in an entry of `X-Forwarded-For`, without port and brackets; any other text is returned unchanged. */
export function forwardedAddress(entry: string): string {
  const text = entry.trim();
  const [, inBrackets, beforePort] = WITH_PORT.exec(text) ?? [];
  return inBrackets ?? beforePort ?? text;
}

/** One key for all addresses of a client: IPv4-mapped addresses count as IPv4, an IPv6 site as its /64 prefix. */
export function addressKey(address: string | undefined): string | undefined {
  if (address === undefined || address.length > MAX_ADDRESS_LENGTH) return undefined;
  let key = keys.get(address);
  if (key === undefined) {
    key = keyOf(address) ?? NO_ADDRESS;
    keys.set(address, key);
  }
  return key === NO_ADDRESS ? undefined : key;
}

function keyOf(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const bytes = parsed.toByteArray().fill(0, IPV6_SITE_BITS / 8);
  return `${ipaddr.fromByteArray(bytes).toString()}/${IPV6_SITE_BITS}`;
}

function remoteAddressOf(c: Context): string | undefined {
  const env: { incoming?: { socket?: { remoteAddress?: string } } } | undefined = c.env;
  return env?.incoming?.socket?.remoteAddress;
}
