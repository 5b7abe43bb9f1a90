export { SUBPROTOCOL } from './connection/rostack-socket.ts';
export { attachWebSocketGateway, type WebSocketGateway } from './gateway.ts';
export type { Clock, Instant } from './options/clock.ts';
export type {
  AllowedOrigins,
  DrainOptions,
  GatewaySettings,
  GatewayStatus,
  ResourceStatus,
  TailFault,
  WebSocketGatewayOptions,
} from './options/gateway-options.ts';
export type {
  ConnectionScope,
  ConnectionSlot,
  SharedConnectionLimits,
} from './options/shared-connection-limits.ts';
export { DEFAULT_WEBSOCKET_LIMITS, type Rate, type WebSocketLimits } from './options/websocket-limits.ts';
