import type { Work } from '../database/database.ts';
import type { AttachedTable } from './attachment.ts';
import type { InstalledObject } from './installation.ts';
import type { LayoutLook } from './layout.ts';
import type { ResolvedSource } from './table-source.ts';

/** What a table that can be attached is. */
export interface InspectedTable extends Pick<AttachedTable, 'source' | 'tableOid' | 'key' | 'columns'> {
  /** What captures its changes: the inbox, then what writes to it. */
  readonly objects: (table: AttachedTable) => readonly InstalledObject[];
}

/** How tables are attached and detached in one of the databases, inside of one transaction. */
export interface Installer {
  /** Keeps others from attaching at the same time. */
  readonly lock: (schema: string) => Work<unknown>;
  /** @throws AttachRefusedError with what is in the way */
  readonly inspect: (source: ResolvedSource) => Work<InspectedTable>;
  readonly look: (table: AttachedTable) => Work<LayoutLook>;
  /** Whether all of them are there as they would be made now. */
  readonly isComplete: (table: AttachedTable, objects: readonly InstalledObject[]) => Work<boolean>;
  /** Runs the statements that make them. @param table for people */
  readonly install: (objects: readonly InstalledObject[], table: string) => Work<void>;
  /** Drops what this release or an earlier one has installed, also when the table is another one by now, or gone; returns what was done. */
  readonly uninstall: (table: Pick<AttachedTable, 'schema' | 'number'>) => Work<string[]>;
}
