import type { DiscoveryCache } from '../../http/discovery-cache.ts';
import { type ClientError, UntrustedUrlError } from '../../http/error/errors.ts';
import type { OriginPolicy } from '../../http/origin-policy.ts';
import type { GatewayCredentials } from '../credential/credentials.ts';
import type { Platform } from '../platform/platform.ts';
import { type ConnectionOwner, GatewayConnection } from './gateway-connection.ts';

export interface GatewayDialerOptions {
  readonly platform: Platform;
  readonly discovery: DiscoveryCache;
  readonly policy: OriginPolicy;
  readonly maxFrameLength: number;
  readonly answerTimeoutMs: number;
}

/** What a connection is made for. */
export interface ConnectRequest {
  /** The connection's number in its link. */
  readonly number: number;
  /** Where the server asked the client to connect. */
  readonly gatewayUrl: string | undefined;
  readonly credentials: GatewayCredentials;
  readonly owner: ConnectionOwner;
  /** Whether the connection is still wanted, asked before the socket is opened. */
  readonly isWanted: () => boolean;
  /** Called when `gatewayUrl` is on a host that is not trusted; discovery then says where to connect. */
  readonly onUntrusted: (error: ClientError) => void;
}

/** The most that a server may advertise, in milliseconds. */
const MAX_HEARTBEAT_MS = 300_000;

/** Opens connections as discovery describes them. */
export class GatewayDialer {
  readonly #options: GatewayDialerOptions;

  constructor(options: GatewayDialerOptions) {
    this.#options = options;
  }

  /** @returns undefined when the connection is not wanted any more @throws ClientError */
  async dial({ isWanted, ...dial }: ConnectRequest): Promise<GatewayConnection | undefined> {
    const { platform, discovery, policy, answerTimeoutMs, maxFrameLength } = this.#options;
    const { document, release } = await discovery.get();
    const url = this.#givenUrl(dial) ?? policy.gatewayUrl(document.endpoints.websocket);
    if (!isWanted()) return undefined;
    const { websocket } = document.capabilities;
    return new GatewayConnection({
      ...dial,
      url,
      platform,
      rules: {
        apiVersion: document.implementation.api_version,
        release,
        heartbeatIntervalMs: Math.min(websocket.heartbeat_interval_ms, MAX_HEARTBEAT_MS),
        heartbeatTimeoutMs: Math.min(websocket.heartbeat_timeout_ms, MAX_HEARTBEAT_MS),
        answerTimeoutMs,
        maxFrameLength,
        canRenew: dial.credentials.canRenew,
      },
    });
  }

  #givenUrl({
    gatewayUrl,
    onUntrusted,
  }: Pick<ConnectRequest, 'gatewayUrl' | 'onUntrusted'>): URL | undefined {
    if (gatewayUrl === undefined) return undefined;
    try {
      return this.#options.policy.gatewayUrl(gatewayUrl);
    } catch (error) {
      if (!(error instanceof UntrustedUrlError)) throw error;
      onUntrusted(error);
      return undefined;
    }
  }
}
