import type { Work } from '../../drivers/database.ts';
import type { AttachedTable } from '../attachment/attachment.ts';
import type { InstalledObject } from '../attachment/installation.ts';
import type { LayoutLook } from '../attachment/layout.ts';
import type { ResolvedSource } from '../source/table-source.ts';

/** A table that can be attached. */
export interface InspectedTable extends Pick<AttachedTable, 'source' | 'tableOid' | 'key' | 'columns'> {
  /** The objects that capture its changes: the inbox, then what writes to it. */
  readonly objects: (table: AttachedTable) => readonly InstalledObject[];
}

/** How tables are attached and detached in one kind of database, inside one transaction. */
export interface Installer {
  /** Version of the installed objects and of layouts; see `isOfOtherRelease`. */
  readonly form: string;
  /** Keeps others from attaching at the same time. */
  readonly lock: (schema: string) => Work<unknown>;
  /** @param isInstalling whether triggers are going to be created @throws AttachRefusedError with the obstacles */
  readonly inspect: (source: ResolvedSource, isInstalling: boolean) => Work<InspectedTable>;
  readonly look: (table: AttachedTable) => Work<LayoutLook>;
  /** Whether all objects exist exactly as they would be created now. */
  readonly isComplete: (table: AttachedTable, objects: readonly InstalledObject[]) => Work<boolean>;
  /** Runs the statements that create them. @param table its name for messages */
  readonly install: (objects: readonly InstalledObject[], table: string) => Work<void>;
  /** Drops what any release so far has installed, even if the table has been replaced or dropped since; returns what was done. */
  readonly uninstall: (table: Pick<AttachedTable, 'schema' | 'number'>) => Work<string[]>;
}
