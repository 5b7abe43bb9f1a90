/** The `fields` parameter has a fault in its syntax, or names a field that the representation does not have. */
export class FieldsError extends Error {
  override readonly name = 'FieldsError';
  readonly code = 'invalid_fields';
  readonly retryable = false;
}
