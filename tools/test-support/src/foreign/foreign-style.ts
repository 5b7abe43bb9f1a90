export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };
export type JsonRecord = { readonly [member: string]: Json };

export type ForeignTransition = 'create' | 'update' | 'delete';

/** One resource of a stand-in, and where it departs from what ours do. */
export interface ForeignResource {
  readonly name: string;
  readonly description?: string;
  /** The member that holds the id, with dots between the names of those around it; only the server knows it. */
  readonly idMember: string;
  readonly schema: JsonRecord;
  /** The schema of event data; undefined: that of the record. */
  readonly eventSchema?: JsonRecord;
  /** What an event carries. @default the record, and nothing for a deletion */
  readonly eventData?: (transition: ForeignTransition, record: JsonRecord) => Json | undefined;
  readonly eventNames: Readonly<Record<ForeignTransition, string>>;
  readonly filterable?: Readonly<Record<string, readonly string[]>>;
  /** Records that are there from the start. */
  readonly records: readonly JsonRecord[];
}

/** How an implementation by others speaks the protocol. */
export interface ForeignStyle {
  readonly id: string;
  readonly name: string;
  readonly apiVersion: string;
  readonly release: '2026-08-12' | '2026-08-13';
  readonly maxPageSize: number;
  readonly filterOperators: readonly string[];
  readonly encodings: readonly ('json' | 'compact-json')[];
  /** What a chain of pages does when `limit` changes. */
  readonly onOtherLimit: 'refuses' | 'ends';
  readonly permission: string;
  readonly resources: readonly ForeignResource[];
}

export function foreignIdOf(record: JsonRecord, { idMember }: Pick<ForeignResource, 'idMember'>): string {
  let value: Json | undefined = record;
  for (const name of idMember.split('.')) value = (value as JsonRecord | undefined)?.[name];
  return textOf(value);
}

/** A text as it is, everything else as JSON. */
export const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);
