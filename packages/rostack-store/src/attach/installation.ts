import { createHash } from 'node:crypto';
import { escapeIdentifier } from 'pg';
import type { AttachedColumn } from './attachment.ts';
import type { ResolvedSource } from './table-source.ts';

/** What the statements of an installation are made from. */
export interface Installation {
  /** The store's. */
  readonly schema: string;
  readonly names: InstalledNames;
  readonly source: ResolvedSource;
  /** Those of the key come first. */
  readonly columns: readonly AttachedColumn[];
  /** Whether the table is a partition, or inherits: what is written through its parent fires triggers of its rows only. */
  readonly isChild: boolean;
}

/** Names of what is installed for one attachment. */
export interface InstalledNames {
  readonly inbox: string;
  /** Of the function for rows and for `TRUNCATE`; those of the others begin with it. */
  readonly capture: string;
  /** The setting that tells whether changes of the table were captured within the client's statement. */
  readonly marker: string;
  /** What the triggers' names begin with. */
  readonly triggers: string;
}

/**
 * @param schema the store's; two stores may have the same table attached, so the triggers' names depend on it
 * @param number of the resource
 */
export function installedNames(schema: string, number: number): InstalledNames {
  const store = createHash('sha256').update(schema).digest('hex').slice(0, 8);
  return {
    inbox: `inbox_${number}`,
    capture: `capture_${number}`,
    marker: `rostack.captured_${store}_${number}`,
    // Releases tell by these whether an inbox is in a form of theirs: they change with it.
    triggers: `rostack_${number}_${store}_`,
  };
}

export function qualified(schema: string, name: string): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
}
