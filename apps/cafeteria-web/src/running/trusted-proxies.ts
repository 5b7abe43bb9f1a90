import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.process>;
type Network = readonly [Address, number];

/** Proxies on this machine. */
export const LOOPBACK_PROXIES = ['127.0.0.0/8', '::1'] as const;

/** Proxies on this machine and in private networks, where nearly all are. */
export const PRIVATE_PROXIES = [
  ...LOOPBACK_PROXIES,
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
  'fe80::/10',
] as const;

/** A network of one address, or of those that begin alike; undefined for any other text. */
function parseNetwork(text: string): Network | undefined {
  if (ipaddr.isValidCIDR(text)) {
    const [base, bits] = ipaddr.parseCIDR(text);
    const mapped = base.kind() === 'ipv6' && (base as ipaddr.IPv6).isIPv4MappedAddress() && bits >= 96;
    return mapped ? [ipaddr.process(base.toString()), bits - 96] : [base, bits];
  }
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** True for an IP address, or a network such as `10.0.0.0/8`. */
export function isProxyNetwork(text: string): boolean {
  return parseNetwork(text) !== undefined;
}

/**
 * The address of an entry of `X-Forwarded-For`, which may have a port and brackets: `192.0.2.7:5123`, `[2001:db8::1]:443`.
 * Undefined for what is no address, such as `unknown`.
 */
export function forwardedAddress(entry: string): Address | undefined {
  const bare = entry.trim().replace(/^"(.*)"$/, '$1');
  const address =
    /^\[([^\]]*)\](?::\d{1,5})?$/.exec(bare)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(bare)?.[1] ?? bare;
  const valid = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  return valid ? ipaddr.process(address) : undefined;
}

/** Proxies whose `X-Forwarded-For` is believed. */
export class TrustedProxies {
  readonly #networks: readonly Network[];
  readonly #onIgnored: (proxy: string) => void;
  #hasTold = false;

  /**
   * @param networks addresses, and networks such as `10.0.0.0/8`
   * @param onIgnored called once, with the address of somebody whose `X-Forwarded-For` is not believed
   */
  constructor(networks: readonly string[] = [], onIgnored: (proxy: string) => void = () => {}) {
    this.#networks = networks.map(parseNetwork).filter((network) => network !== undefined);
    this.#onIgnored = onIgnored;
  }

  /**
   * The nearest address on the path that is no trusted proxy; undefined when nothing on it is an address.
   *
   * @param remote address of the socket; undefined for a request of this process itself, which is trusted
   */
  clientOf(forwardedFor: string | undefined, remote: string | undefined): Address | undefined {
    let client = remote === undefined ? undefined : forwardedAddress(remote);
    if (forwardedFor === undefined) return client;
    if (!this.#trusts(client)) {
      this.#tellIgnored(client?.toString() ?? remote ?? '');
      return client;
    }
    // A list may have empty members, which say nothing.
    const hops = forwardedFor.split(',').filter((hop) => hop.trim() !== '');
    for (const hop of hops.reverse()) {
      const next = forwardedAddress(hop);
      if (next === undefined) break;
      client = next;
      if (!this.#trusts(client)) break;
    }
    return client;
  }

  #trusts(address: Address | undefined): boolean {
    if (address === undefined) return this.#networks.length > 0;
    return this.#networks.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
  }

  #tellIgnored(proxy: string): void {
    if (this.#hasTold) return;
    this.#hasTold = true;
    this.#onIgnored(proxy);
  }
}
