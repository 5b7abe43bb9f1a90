/** The options of the app do not fit together; the message lists every fault. */
export class AppConfigurationError extends Error {
  override readonly name = 'AppConfigurationError';
  readonly code = 'invalid_app_options';
  readonly retryable = false;
  /** A sentence for each fault. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The rostack app cannot be made: ${faults.join(' ')}`);
    this.faults = faults;
  }
}
