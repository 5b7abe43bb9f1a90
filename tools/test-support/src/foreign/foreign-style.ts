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
  return String(value);
}

/** Whether a record matches a filter of the operators that the stand-ins know. */
export function matches(record: JsonRecord, filter: JsonRecord | undefined): boolean {
  return Object.entries(filter ?? {}).every(([pointer, operators]) => {
    const value = record[pointer.slice(1)];
    return Object.entries(operators as JsonRecord).every(([operator, operand]) => {
      if (operator === 'contains') {
        return (typeof value === 'string' || Array.isArray(value)) && value.includes(operand as string);
      }
      if (operator === 'in') return (operand as readonly Json[]).includes(value as Json);
      return JSON.stringify(value) === JSON.stringify(operand);
    });
  });
}
