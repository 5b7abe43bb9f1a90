import type { CommittedChanges } from 'rostack-core';

/** A log whose head a transaction of this process has moved. */
export interface MovedLog {
  /** Name of the resource. */
  readonly resource: string;
  /** What was committed; undefined where not all of it is known here, so that it has to be read. */
  readonly committed: CommittedChanges | undefined;
}
