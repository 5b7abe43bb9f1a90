export { ClientError } from './client-error.ts';
export {
  AuthenticationError,
  ConnectionLostError,
  GatewayTimeoutError,
  ProtocolBrokenError,
  ProtocolViolationError,
  SnapshotRefusedError,
  SubscriptionError,
} from './gateway-errors.ts';
export {
  DiscoveryOutdatedError,
  HttpProblemError,
  NetworkError,
  PageCursorExpiredError,
  RedirectRefusedError,
  RequestTimeoutError,
  ResponseError,
  ResponseTooLargeError,
  UntrustedUrlError,
} from './http-errors.ts';
export {
  ClientClosedError,
  CredentialsError,
  RecordError,
  StateStoreError,
  UsageError,
} from './local-errors.ts';
