/** The sort order has a fault in its syntax, or names a field that is not sortable. */
export class SortError extends Error {
  override readonly name = 'SortError';
  readonly code = 'invalid_sort';
  readonly retryable = false;
}
