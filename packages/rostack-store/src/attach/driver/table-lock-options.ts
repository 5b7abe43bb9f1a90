import { anInteger, optional, optionsOf } from 'rostack-core';
import { MAX_DELAY_MS } from '../../store/options/max-delay.ts';

/** How long `attachTable` and `detachTable` wait for other users of the table. */
export interface TableLockOptions {
  /**
   * How long to try to get the table's lock in total, in ms; 0 means one try.
   * @default 30000
   */
  readonly lockTimeoutMs?: number | undefined;
}

export const tableLockOptions = optionsOf<TableLockOptions>({
  lockTimeoutMs: optional(anInteger(0, MAX_DELAY_MS)),
});
