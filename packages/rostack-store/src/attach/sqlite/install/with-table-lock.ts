import type { Database, Work } from '../../../drivers/database.ts';
import type { TableLockOptions } from '../../driver/table-lock-options.ts';

/** A write transaction locks the whole file, and waits for that lock as long as any write. */
export function withTableLock<T>(
  database: Database,
  _options: TableLockOptions,
  work: () => Work<T>,
): Promise<T> {
  return database.write(work);
}
