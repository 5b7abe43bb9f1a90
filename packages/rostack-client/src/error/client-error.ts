/** What every error of this package has: a literal code, and whether the same call may succeed later. */
export abstract class ClientError extends Error {
  abstract readonly code: string;
  abstract readonly retryable: boolean;
}
