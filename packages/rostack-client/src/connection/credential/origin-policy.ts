import { isLoopback } from 'rostack-core/client';
import { UntrustedUrlError, UsageError } from '../../http/error/errors.ts';

export interface OriginPolicyOptions {
  readonly trustedOrigins?: readonly string[] | undefined;
  readonly allowInsecureLoopback?: boolean | undefined;
}

/**
 * Decides which URLs may be asked, and so where credentials may go: to the origin that the caller connected to and the
 * origins that the caller trusts. Gateways: the same host, or the host of a trusted origin, only by wss.
 */
export class OriginPolicy {
  /** Where discovery is read. */
  readonly base: URL;
  readonly #origins: ReadonlySet<string>;
  readonly #gatewayHosts: ReadonlySet<string>;
  readonly #isInsecure: boolean;

  /** @throws UsageError `invalid_options` */
  constructor(base: URL, { trustedOrigins = [], allowInsecureLoopback = false }: OriginPolicyOptions) {
    const isInsecure = base.protocol === 'http:' && allowInsecureLoopback && isLoopback(base.hostname);
    if (base.protocol !== 'https:' && !isInsecure) {
      throw new UsageError(
        `${base.origin} is not https; http is for loopback, with the option allowInsecureLoopback`,
      );
    }
    if (base.username !== '' || base.password !== '') {
      throw new UsageError('the URL contains credentials: pass them as the second argument');
    }
    const trusted = trustedOrigins.map(readOrigin);
    this.base = base;
    this.#isInsecure = isInsecure;
    this.#origins = new Set([base.origin, ...trusted.map(({ origin }) => origin)]);
    this.#gatewayHosts = new Set([base.hostname, ...trusted.map(({ hostname }) => hostname)]);
  }

  /** The URL to ask for an advertised https URL. @throws UntrustedUrlError `untrusted_url` */
  httpUrl(advertised: string): URL {
    const url = this.#actual(advertised, 'https:', 'http:');
    if (!this.#origins.has(url.origin)) {
      throw new UntrustedUrlError(
        `the server advertises ${url.origin}, which is not the origin connected to; add it to trustedOrigins if it may get the credentials`,
      );
    }
    return url;
  }

  /** The URL to connect to for an advertised wss URL. @throws UntrustedUrlError `untrusted_url` */
  gatewayUrl(advertised: string): URL {
    const url = this.#actual(advertised, 'wss:', 'ws:');
    if (!this.#gatewayHosts.has(url.hostname)) {
      throw new UntrustedUrlError(
        `the server advertises a gateway on ${url.hostname}, which is not the host connected to; add its origin to trustedOrigins if it may get the credentials`,
      );
    }
    return url;
  }

  /** Protocol documents only advertise secure URLs: on loopback they may mean the insecure ones. */
  #actual(advertised: string, secure: string, insecure: string): URL {
    const url = URL.parse(advertised);
    if (url?.protocol !== secure || url.username !== '' || url.password !== '') {
      throw new UntrustedUrlError(`the server advertises a URL that is not ${secure}//`);
    }
    if (this.#isInsecure && isLoopback(url.hostname)) url.protocol = insecure;
    return url;
  }
}

function readOrigin(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.origin !== text.replace(/\/$/, '')) {
    throw new UsageError(`trustedOrigins contains ${text}: pass origins such as https://data.example.com`);
  }
  return url;
}
