/** The gateway's options do not fit its discovery document. */
export class GatewayConfigurationError extends Error {
  override readonly name = 'GatewayConfigurationError';
  readonly code = 'invalid_gateway_configuration';
  readonly retryable = false;
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The gateway cannot start: ${faults.join(' ')}`);
    this.faults = faults;
  }
}
