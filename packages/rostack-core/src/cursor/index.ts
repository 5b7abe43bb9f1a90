export type { Aead, AeadFactory } from './aead.ts';
export { EventCursorError, type EventCursorErrorCode, PageCursorError } from './cursor-error.ts';
export { type CursorPlatform, portableCursorPlatform } from './cursor-platform.ts';
export {
  decodeEventCursor,
  type EventCursorScope,
  type EventPosition,
  encodeEventCursor,
  eventScopeTag,
} from './event-cursor.ts';
export {
  decodePageCursor,
  encodePageCursor,
  PAGE_CURSOR_LIFETIME_MS,
  PAGE_CURSOR_NONCE_BYTES,
  type PageCursorKey,
  type PageCursorKeyring,
  type PageCursorScope,
  type PagePlace,
} from './page-cursor.ts';
