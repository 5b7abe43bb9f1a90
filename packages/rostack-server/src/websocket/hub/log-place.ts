import type { Position } from 'rostack-core';

/** A position of a log and its tag, which says of which history it is. */
export interface LogPlace {
  readonly position: Position;
  readonly tag: string;
}

/** A change came at another place than the next one; it was not taken. */
export class OutOfOrderError extends Error {
  override readonly name = 'OutOfOrderError';
  readonly code = 'out_of_order';
  readonly retryable = false;
  readonly expected: Position;
  readonly found: Position;

  constructor(expected: Position, found: Position) {
    super(`The next change has to be ${expected}, but is ${found}.`);
    this.expected = expected;
    this.found = found;
  }
}
