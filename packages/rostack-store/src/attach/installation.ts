import { escapeIdentifier } from 'pg';
import type { AttachedColumn, InstalledNames } from './attachment.ts';
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

export function qualified(schema: string, name: string): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
}
