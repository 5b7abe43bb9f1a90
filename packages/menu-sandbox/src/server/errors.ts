/** What can go wrong with the sandbox itself. */
export const SANDBOX_ERROR_CODES = {
  invalid_options: { retryable: false },
  port_in_use: { retryable: true },
} as const;

/** A key of `SANDBOX_ERROR_CODES`. */
export type SandboxErrorCode = keyof typeof SANDBOX_ERROR_CODES;

/** Thrown when a sandbox cannot do what it was asked for; the message says what to do. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly code: SandboxErrorCode;
  readonly retryable: boolean;

  constructor(code: SandboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.retryable = SANDBOX_ERROR_CODES[code].retryable;
  }
}
