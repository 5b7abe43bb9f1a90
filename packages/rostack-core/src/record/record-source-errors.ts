import type { Position } from './change.ts';

/**
 * The log no longer reaches back to the position, or the position is of another history: the reader needs a new
 * snapshot.
 */
export class PositionExpiredError extends Error {
  override readonly name = 'PositionExpiredError';
  readonly code = 'position_expired';
  readonly retryable = false;
}

/** A position is missing from the log: its history can no longer be trusted. */
export class LogHoleError extends PositionExpiredError {
  readonly resource: string;
  readonly position: Position;

  constructor(resource: string, position: Position) {
    super(`the log of ${resource} has a hole at position ${position}: take a new snapshot`);
    this.resource = resource;
    this.position = position;
  }
}

/** The store cannot answer now: unreachable, overloaded, or over its time limit. */
export class SourceUnavailableError extends Error {
  override readonly name = 'SourceUnavailableError';
  readonly code = 'source_unavailable';
  readonly retryable = true;
}
