import { BlockList, isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import { addressKey, forwardedAddress, type Refusal } from 'rostack-server';
import type { TlsConfig } from '../../config/model/gateway-config.ts';

/** The parts of a Node request that say where it comes from. */
export interface ForwardedRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly socket: { readonly remoteAddress?: string | undefined; readonly encrypted?: boolean };
}

/** Addresses to keep: every request looks one up, and most come from the same few. */
const MAX_REMEMBERED = 1_000;

interface KnownAddress {
  readonly isTrusted: boolean;
  /** Key of the address for limits. */
  readonly key: string | undefined;
}

const NO_ADDRESS: KnownAddress = { isTrusted: false, key: undefined };

/** Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. */
export class TrustedProxies {
  readonly #networks = new BlockList();
  readonly #known = new LRUCache<string, KnownAddress>({ max: MAX_REMEMBERED });

  readonly #onUnreadable: (entry: string) => void;
  #hasTold = false;

  /**
   * @param networks IP addresses, and networks such as `10.0.0.0/8`
   * @param onUnreadable called once, with an entry of `X-Forwarded-For` that is no address: all clients behind such entries share a budget
   */
  constructor(networks: readonly string[], onUnreadable: (entry: string) => void = () => {}) {
    this.#onUnreadable = onUnreadable;
    for (const network of networks) {
      const [address = '', prefix] = network.split('/');
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      if (prefix === undefined) this.#networks.addAddress(address, family);
      else this.#networks.addSubnet(address, Number(prefix), family);
    }
  }

  /** Whether the connection comes from a trusted proxy. */
  isFromProxy({ socket }: ForwardedRequest): boolean {
    return this.isTrusted(socket.remoteAddress);
  }

  /**
   * The client's address, as a key for limits: the nearest address on the path that is not a trusted proxy. Entries beyond it are ignored;
   * without a trusted proxy it is the connection's own address.
   */
  addressOf(request: ForwardedRequest): string | undefined {
    let known = this.#know(request.socket.remoteAddress);
    let hops = textOf(request.headers['x-forwarded-for']);
    while (known.isTrusted) {
      const comma = hops.lastIndexOf(',');
      const entry = hops.slice(comma + 1).trim();
      const next = forwardedAddress(entry);
      if (isIP(next) === 0) {
        if (entry !== '') this.#tellUnreadable(entry);
        break;
      }
      known = this.#know(next);
      hops = hops.slice(0, Math.max(comma, 0));
    }
    return known.key;
  }

  /** Whether a trusted proxy says that the client did not use TLS. */
  cameWithoutTls(request: ForwardedRequest): boolean {
    if (!this.isFromProxy(request)) return false;
    const scheme = textOf(request.headers['x-forwarded-proto']).split(',').at(-1)?.trim().toLowerCase();
    return scheme === 'http' || scheme === 'ws';
  }

  /** Whether an address belongs to a trusted proxy. */
  isTrusted(address: string | undefined): boolean {
    return this.#know(address).isTrusted;
  }

  #tellUnreadable(entry: string): void {
    if (this.#hasTold) return;
    this.#hasTold = true;
    this.#onUnreadable(entry);
  }

  #know(address: string | undefined): KnownAddress {
    if (address === undefined) return NO_ADDRESS;
    let known = this.#known.get(address);
    if (known === undefined) {
      const version = isIP(address);
      const isTrusted = version !== 0 && this.#networks.check(address, version === 6 ? 'ipv6' : 'ipv4');
      known = { isTrusted, key: addressKey(address) };
      this.#known.set(address, known);
    }
    return known;
  }
}

const textOf = (field: string | readonly string[] | undefined): string =>
  typeof field === 'string' ? field : (field ?? []).join(',');

/**
 * Decides whether a request came by a path that is safe for credentials. Without its own TLS the listener accepts only trusted proxies. It
 * refuses a request if the proxy says that the client used plain HTTP. With `outside` it checks each connection for TLS.
 */
export function judgeConnection(
  tls: Pick<TlsConfig, 'mode'> | { readonly mode: 'outside' },
  proxies: TrustedProxies,
): (request: ForwardedRequest) => Refusal | undefined {
  return (request) => {
    // With `loopback`, only this computer can connect.
    const isSafe = tls.mode === 'outside' ? request.socket.encrypted === true : tls.mode !== 'off';
    if (!isSafe && !proxies.isFromProxy(request)) {
      return { status: 403, reason: 'Connect through the proxy: this listener has no TLS.' };
    }
    if (proxies.cameWithoutTls(request)) return { status: 403, reason: 'Use https.' };
    return undefined;
  };
}
