/**
 * The filter cannot be used: `invalid_filter` when it does not conform to the filter grammar or exceeds a limit,
 * `unsupported_filter` when it names a field or an operator that the resource does not advertise.
 */
export class FilterError extends Error {
  override readonly name = 'FilterError';
  readonly code: 'invalid_filter' | 'unsupported_filter';
  readonly retryable = false;
  /** JSON Pointer into the filter of the member at fault; empty for the filter as a whole. */
  readonly location: string;

  constructor(code: FilterError['code'], message: string, location: string) {
    super(message);
    this.code = code;
    this.location = location;
  }
}
