/** What can go wrong with the kit itself, or with how it was called. */
export type KitErrorCode =
  | 'usage'
  | 'no_discovery'
  | 'unreachable'
  | 'request_budget_spent'
  | 'undeclared_requirement'
  | 'unknown_requirement'
  | 'requirement_broken'
  | 'no_token'
  | 'no_driver'
  | 'driver_failed'
  | 'adapter_failed'
  | 'rate_limited_for_too_long';

/** The kit cannot continue. This says nothing about the target, whose faults are findings. */
export class KitError extends Error {
  override readonly name = 'KitError';
  readonly retryable = false;
  /** Which failure it is. */
  readonly code: KitErrorCode;

  constructor(code: KitErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
