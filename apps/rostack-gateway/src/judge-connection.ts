import type { TlsConfig } from './config/gateway-config.ts';
import type { ForwardedRequest, TrustedProxies } from './trusted-proxies.ts';

/** Why a request is not looked at, as an HTTP answer. */
export interface ConnectionRefusal {
  readonly status: 403;
  readonly reason: string;
}

/**
 * Decides whether a request came by a way that is safe for credentials. Without TLS of its own the listener speaks with trusted
 * proxies only, and a proxy's word that the client used plain HTTP is a reason to refuse.
 */
export function judgeConnection(
  tls: TlsConfig,
  proxies: TrustedProxies,
): (request: ForwardedRequest) => ConnectionRefusal | undefined {
  return (request) => {
    if (tls.mode === 'off' && !proxies.isFromProxy(request)) {
      return { status: 403, reason: 'Connect through the proxy: this listener has no TLS.' };
    }
    if (proxies.cameWithoutTls(request)) return { status: 403, reason: 'Use https.' };
    return undefined;
  };
}
