import type { Position } from 'rostack-core';

/** A position of a log and its tag, which says of which history it is. */
export interface LogPlace {
  readonly position: Position;
  readonly tag: string;
}
