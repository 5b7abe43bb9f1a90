export type { Clock, Instant } from './clock.ts';
export { type AllowedOrigins, SUBPROTOCOL, type UpgradeRefusal } from './connection/upgrade.ts';
export { attachWebSocketGateway, type WebSocketGateway } from './gateway.ts';
export { GatewayConfigurationError } from './gateway-configuration-error.ts';
export type { GatewayAlarm, GatewayObserver, ObservedConnection } from './gateway-observer.ts';
export type {
  DrainOptions,
  GatewayStatus,
  ResourceStatus,
  WebSocketGatewayOptions,
} from './gateway-options.ts';
export type { ResetReason, TailFault } from './hub/log-tail.ts';
export type { Rate } from './session/token-bucket.ts';
export { DEFAULT_WEBSOCKET_LIMITS, type WebSocketLimits } from './websocket-limits.ts';
