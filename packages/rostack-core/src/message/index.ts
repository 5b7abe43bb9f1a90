export {
  AUTHENTICATION_METHODS,
  type AuthenticateMessage,
  type AuthenticationMethod,
  type ClientMessage,
  EVENT_ENCODINGS,
  type EventEncoding,
  type PingMessage,
  type PongMessage,
  type SubscribeMessage,
  type UnsubscribeMessage,
} from './client-message.ts';
export { decodeCompactEvent, encodeCompactEvent } from './compact-event-codec.ts';
export {
  createEventEncoder,
  type EventEncoder,
  type FramePieces,
  joinFrame,
  type SharedEvent,
} from './event-encoder.ts';
export { ClientMessageError, parseClientMessage } from './parse-client-message.ts';
export { parseServerMessage, ServerMessageError } from './parse-server-message.ts';
export type {
  AuthenticatedMessage,
  CompactEvent,
  EventMessage,
  GoAwayMessage,
  ReplayCompleteMessage,
  ServerMessage,
  ServerMessage20260812,
  SubscribedMessage,
} from './server-message.ts';
