export { EventCursorError, type EventCursorErrorCode } from './cursor-error.ts';
export {
  decodeEventCursor,
  type EventCursorScope,
  type EventPosition,
  encodeEventCursor,
  eventScopeTag,
} from './event-cursor.ts';
