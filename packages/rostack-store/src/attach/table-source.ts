import { AttachRefusedError } from '../errors/index.ts';
import type { Resource } from '../resource/resource.ts';

/** A column under another name. */
export interface SourceColumn {
  readonly column: string;
  /** Member of the record that holds it. */
  readonly member: string;
}

/** An existing table of the store's own PostgreSQL database that a resource shows. */
export interface TableSource {
  /** `schema.name`, or a name in the schema `public`; as PostgreSQL keeps it, so case counts. */
  readonly table: string;
  /** Column that tells the rows apart: unique, not null; it becomes the member that the resource's idPointer names. */
  readonly key: string;
  /** The columns that records have, the key among them or not. @default all, as they are when the table is attached */
  readonly columns?: readonly (string | SourceColumn)[] | undefined;
}

/** A source with nothing left open; what two processes compare as text. */
export interface ResolvedSource {
  readonly schema: string;
  readonly table: string;
  readonly key: string;
  /** Member that holds the key. */
  readonly keyMember: string;
  /** Column and member; the key's is not among them. Undefined: all. */
  readonly columns: readonly (readonly [column: string, member: string])[] | null;
}

/** @throws AttachRefusedError when the resource cannot be fed by a table, or a member comes twice */
export function resolveSource(source: TableSource, resource: Resource): ResolvedSource {
  const [first = '', second, ...rest] = source.table.split('.');
  if (first === '' || second === '' || rest.length > 0) {
    throw new AttachRefusedError(`${resource.name}: ${JSON.stringify(source.table)} is not schema.table`);
  }
  const columns =
    source.columns
      ?.map((entry): [string, string] =>
        typeof entry === 'string' ? [entry, entry] : [entry.column, entry.member],
      )
      .filter(([column]) => column !== source.key) ?? null;
  const keyMember = keyMemberOf(resource);
  const members = [keyMember, ...(columns ?? []).map(([, member]) => member)];
  const twice = members.find((member, index) => members.indexOf(member) !== index);
  if (twice !== undefined) {
    throw new AttachRefusedError(`${resource.name}: two columns become the member ${JSON.stringify(twice)}`);
  }
  return {
    schema: second === undefined ? 'public' : first,
    table: second ?? first,
    key: source.key,
    keyMember,
    columns,
  };
}

function keyMemberOf({ name, idPath, events }: Resource): string {
  const transitions = [...events.values()];
  const ambiguous = transitions.find((transition, index) => transitions.indexOf(transition) !== index);
  if (ambiguous !== undefined) {
    throw new AttachRefusedError(
      `${name}: a table tells of one event per transition, but several are declared for ${ambiguous}: keep one`,
    );
  }
  const [member, ...deeper] = idPath;
  if (member !== undefined && deeper.length === 0) return member;
  throw new AttachRefusedError(
    `${name}: the id pointer has to name a member of the record itself, such as /id`,
  );
}

/** For people: `public.observations`. */
export function tableNameOf({ schema, table }: ResolvedSource): string {
  return `${schema}.${table}`;
}
