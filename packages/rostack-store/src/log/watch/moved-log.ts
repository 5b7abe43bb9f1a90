import type { CommittedChanges } from 'rostack-core';

/** A log whose head a transaction of this process has moved. */
export interface MovedLog {
  /** Name of the resource. */
  readonly resource: string;
  /** The committed changes; undefined if this process does not know all of them, so that they have to be read. */
  readonly committed: CommittedChanges | undefined;
}
