import type { Position } from 'rostack-core';
import { defineError } from 'rostack-core';

/** A position in a log and its tag, which identifies its history. */
export interface LogPosition {
  readonly position: Position;
  readonly tag: string;
}

/** A change did not have the next position and was not accepted. */
export class OutOfOrderError extends defineError('OutOfOrderError', 'out_of_order', false) {
  readonly expected: Position;
  readonly found: Position;

  constructor(expected: Position, found: Position) {
    super(`The next change has to be ${expected}, but is ${found}.`);
    this.expected = expected;
    this.found = found;
  }
}
