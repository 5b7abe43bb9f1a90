/** The text is not a JSON Pointer. */
export class PointerError extends Error {
  override readonly name = 'PointerError';
  readonly code = 'invalid_pointer';
  readonly retryable = false;
}
