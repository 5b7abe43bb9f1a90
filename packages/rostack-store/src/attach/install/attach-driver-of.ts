import type { Database } from '../../drivers/database.ts';
import type { Dialect } from '../../drivers/dialect/dialect.ts';
import type { AttachDriver } from '../driver/attach-driver.ts';
import { postgresAttachDriver } from '../postgres/driver.ts';
import { sqliteAttachDriver } from '../sqlite/driver.ts';

/** Databases know nothing of attached tables, so this chooses the driver for attaching by the dialect's name. */
const DRIVERS: Readonly<Record<Dialect['name'], AttachDriver>> = {
  postgres: postgresAttachDriver,
  sqlite: sqliteAttachDriver,
};

export function attachDriverOf({ dialect }: Database): AttachDriver {
  return DRIVERS[dialect.name];
}
