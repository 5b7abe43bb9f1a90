/** Why an implementation cannot be shown, and whether another try may work. */
const OPEN_ERRORS = {
  /** The address cannot be opened. */
  invalid_url: { retryable: false },
  /** Nobody answers, or not in time, or the certificate is not trusted. */
  unreachable: { retryable: true },
  /** It asks for other credentials. */
  access_refused: { retryable: false },
  /** What answers is not a rostack_v1 implementation. */
  not_rostack: { retryable: false },
  /** Its discovery document breaks the protocol. */
  invalid_discovery: { retryable: false },
  /** An advertised schema cannot be read. */
  schema_unreadable: { retryable: false },
  /** Another program listens on the port. */
  port_in_use: { retryable: false },
} as const;

export type OpenErrorCode = keyof typeof OPEN_ERRORS;

/** An implementation cannot be shown; the message is for the person who named it. */
export class OpenError extends Error {
  override readonly name = 'OpenError';
  readonly code: OpenErrorCode;
  readonly retryable: boolean;

  constructor(code: OpenErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.retryable = OPEN_ERRORS[code].retryable;
  }
}
