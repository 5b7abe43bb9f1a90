import { type ConnectionOwner, GatewayConnection } from '../connection/gateway-connection.ts';
import type { GatewayCredentials } from '../credential/gateway-credentials.ts';
import type { DiscoveryCache } from '../discovery/discovery-cache.ts';
import type { OriginPolicy } from '../http/origin-policy.ts';
import type { Platform } from '../platform/platform.ts';
import type { SessionRules } from '../session/index.ts';

export interface GatewayDialerOptions {
  readonly platform: Platform;
  readonly discovery: DiscoveryCache;
  readonly policy: OriginPolicy;
  readonly credentials: GatewayCredentials;
  readonly maxFrameLength: number;
  readonly answerTimeoutMs: number;
}

/** What a connection is made for: its number in the link, and where the server wishes to see it. */
export interface Dial {
  readonly number: number;
  readonly gatewayUrl: string | undefined;
  readonly owner: ConnectionOwner;
  /** Asked before the socket is opened: whether the connection is still wanted. */
  readonly isWanted: () => boolean;
  /** Told of a wish that leads to a host without trust; discovery says where to go then. */
  readonly onUntrustedWish: (error: unknown) => void;
}

/** Bound of what a server may advertise, in milliseconds. */
const MAX_HEARTBEAT_MS = 300_000;

/** Makes connections by what discovery says. */
export class GatewayDialer {
  readonly #options: GatewayDialerOptions;

  constructor(options: GatewayDialerOptions) {
    this.#options = options;
  }

  /** @returns undefined when the connection is not wanted any more @throws ClientError */
  async dial(dial: Dial): Promise<GatewayConnection | undefined> {
    const { platform, discovery, policy, credentials } = this.#options;
    const { document, release } = await discovery.get();
    const url = this.#wishedUrl(dial) ?? policy.gatewayUrl(document.endpoints.websocket);
    if (!dial.isWanted()) return undefined;
    const { websocket } = document.capabilities;
    const rules: SessionRules = {
      apiVersion: document.implementation.api_version,
      release,
      heartbeatIntervalMs: Math.min(websocket.heartbeat_interval_ms, MAX_HEARTBEAT_MS),
      heartbeatTimeoutMs: Math.min(websocket.heartbeat_timeout_ms, MAX_HEARTBEAT_MS),
      answerTimeoutMs: this.#options.answerTimeoutMs,
      maxFrameLength: this.#options.maxFrameLength,
      canRenew: credentials.canRenew,
    };
    return new GatewayConnection({
      number: dial.number,
      url,
      credentials,
      rules,
      platform,
      owner: dial.owner,
    });
  }

  #wishedUrl({ gatewayUrl, onUntrustedWish }: Dial): URL | undefined {
    if (gatewayUrl === undefined) return undefined;
    try {
      return this.#options.policy.gatewayUrl(gatewayUrl);
    } catch (error) {
      onUntrustedWish(error);
      return undefined;
    }
  }
}
