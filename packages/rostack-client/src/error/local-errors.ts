import { ClientError } from './client-error.ts';

/** The call asks for something that does not exist or does not fit; the message says what to do. */
export class UsageError extends ClientError {
  override readonly name = 'UsageError';
  readonly code = 'invalid_options';
  readonly retryable = false;
}

/** A record or event data does not pass the caller's schema, or has no id. */
export class RecordError extends ClientError {
  override readonly name = 'RecordError';
  readonly code = 'invalid_record';
  readonly retryable = false;
}

/** The credentials callback failed; `cause` is what it threw. */
export class CredentialsError extends ClientError {
  override readonly name = 'CredentialsError';
  readonly code = 'credentials_unavailable';
  readonly retryable = true;
}

/** The client was closed. */
export class ClientClosedError extends ClientError {
  override readonly name = 'ClientClosedError';
  readonly code = 'client_closed';
  readonly retryable = false;

  constructor() {
    super('the client is closed');
  }
}

/** The state store failed or holds something else than states; `cause` is what it threw. */
export class StateStoreError extends ClientError {
  override readonly name = 'StateStoreError';
  readonly code = 'state_store_failed';
  readonly retryable = false;
}
