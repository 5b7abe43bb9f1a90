/**
 * - `cursor_unavailable`: malformed, of another epoch or history, or too old
 * - `cursor_scope_mismatch`: of another implementation, API version, resource or principal
 */
export type EventCursorErrorCode = 'cursor_unavailable' | 'cursor_scope_mismatch';

/** An event cursor that cannot be used; the subscriber takes a new snapshot. */
export class EventCursorError extends Error {
  override readonly name = 'EventCursorError';
  readonly retryable = false;
  readonly code: EventCursorErrorCode;

  constructor(code: EventCursorErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
