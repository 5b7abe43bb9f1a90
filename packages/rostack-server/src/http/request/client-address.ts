import type { Context } from 'hono';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

const IPV6_SITE_BITS = 64;
/** An IPv6 address with an IPv4 one in it and a zone. */
const MAX_ADDRESS_LENGTH = 64;
const NO_ADDRESS = 'none';
/** Each request asks for its own, and most come from the same few. */
const keys = new LRUCache<string, string>({ max: 1_000 });

/** Tells from which address a request comes, as a key for rate limits; undefined when nobody can tell. */
export type ClientAddress = (c: Context) => string | undefined;

/**
 * Takes the address of the connection under `@hono/node-server`; behind reverse proxies, the entry of
 * `X-Forwarded-For` that the outermost trusted proxy wrote.
 * @param trustedProxies how many reverse proxies of yours stand before the server; what lies further out is not believed
 */
export function clientAddressBehind(trustedProxies: number): ClientAddress {
  return (c) => addressBehind(trustedProxies, remoteAddressOf(c), c.req.header('x-forwarded-for'));
}

/** The address of a client as a key, by that of the connection and by `X-Forwarded-For`. */
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

// An IP address, which RFC 7239 section 6 and many proxies follow with a port: 203.0.113.7:51234, [2001:db8::1]:443, [2001:db8::1].
const WITH_PORT = /^(?:\[([\d:.a-f]+)\](?::\d+)?|([\d.]+):\d+)$/i;

/** The address in an entry of `X-Forwarded-For`, without its port and brackets; another text is returned as it is. */
export function forwardedAddress(entry: string): string {
  const text = entry.trim();
  const [, inBrackets, beforePort] = WITH_PORT.exec(text) ?? [];
  return inBrackets ?? beforePort ?? text;
}

/** The same text for all addresses that one client has: IPv4-mapped addresses are IPv4, an IPv6 site is its /64 prefix. */
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
