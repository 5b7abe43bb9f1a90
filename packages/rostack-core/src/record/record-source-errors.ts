/** The log no longer reaches back to the position, or the position is of another history: the reader has to take a new snapshot. */
export class PositionExpiredError extends Error {
  override readonly name = 'PositionExpiredError';
  readonly code = 'position_expired';
  readonly retryable = false;
}

/** The store cannot answer now: unreachable, overloaded, or over its time limit. */
export class SourceUnavailableError extends Error {
  override readonly name = 'SourceUnavailableError';
  readonly code = 'source_unavailable';
  readonly retryable = true;
}
