import type { ClientBase } from 'pg';
import { type CatalogueTable, qualifiedName } from './catalogue.ts';

/** The privileges that a role lacks to publish tables. */
export interface MissingRights {
  readonly role: string;
  /** Sentences for people. */
  readonly missing: readonly string[];
  /** Statements that grant them, to be run once by the owner of the database or a superuser. */
  readonly statements: readonly string[];
}

interface DatabaseRow {
  readonly role: string;
  readonly database: string;
  readonly canCreate: boolean;
}

interface TableRow {
  readonly schema: string;
  readonly name: string;
  readonly owner: string;
  readonly isOwnedBySuperuser: boolean;
  readonly isOwner: boolean;
  readonly canRead: boolean;
  readonly canUseSchema: boolean;
}

const DATABASE_QUERY = `select r.rolname as role, current_database() as database,
    case when n.oid is null then has_database_privilege(r.oid, current_database(), 'create')
      else has_schema_privilege(r.oid, n.oid, 'usage, create') and has_schema_privilege(r.oid, n.oid, 'create') end as "canCreate"
  from pg_roles r left join pg_namespace n on n.nspname = $2 where r.rolname = coalesce($1, current_user)`;

const TABLES_QUERY = `select n.nspname as schema, c.relname as name, o.rolname as owner, o.rolsuper as "isOwnedBySuperuser",
    pg_has_role(r.oid, c.relowner, 'usage') as "isOwner", has_table_privilege(r.oid, c.oid, 'select') as "canRead",
    has_schema_privilege(r.oid, n.oid, 'usage') as "canUseSchema"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_roles o on o.oid = c.relowner
  join pg_roles r on r.rolname = coalesce($1, current_user)
  where c.relkind = 'r' and (n.nspname, c.relname) in (select * from unnest($2::text[], $3::text[]))
  order by n.nspname, c.relname`;

/**
 * Finds the privileges that a role lacks to publish these tables.
 * @param role undefined: the role of the connection
 * @param ownSchema the gateway's own schema
 */
export async function missingRights(
  client: Pick<ClientBase, 'query'>,
  tables: readonly CatalogueTable[],
  ownSchema: string,
  role?: string,
): Promise<MissingRights> {
  const { rows: databases } = await client.query<DatabaseRow>(DATABASE_QUERY, [role ?? null, ownSchema]);
  const [database] = databases;
  if (database === undefined)
    return { role: role ?? '', missing: [`there is no role ${role ?? ''}`], statements: [] };
  const { rows } = await client.query<TableRow>(TABLES_QUERY, [
    role ?? null,
    tables.map(({ schema }) => schema ?? 'public'),
    tables.map(({ name }) => name),
  ]);
  const to = quoted(database.role);
  const schemas = [...new Set(rows.filter(({ canUseSchema }) => !canUseSchema).map(({ schema }) => schema))];
  const unread = rows.filter(({ canRead }) => !canRead);
  const owners = [...new Set(rows.filter(({ isOwner }) => !isOwner).map(({ owner }) => owner))];
  const named = (of: readonly TableRow[]) => of.map((table) => qualifiedName(table)).join(', ');
  return {
    role: database.role,
    missing: [
      ...(database.canCreate
        ? []
        : [`it may not create the schema ${ownSchema}, in which the gateway keeps its own tables`]),
      ...schemas.map((schema) => `it may not use the schema ${schema}`),
      ...(unread.length === 0 ? [] : [`it may not read ${named(unread)}`]),
      ...owners.map(
        (owner) =>
          `it is not a member of ${owner}, to whom ${named(rows.filter((row) => row.owner === owner && !row.isOwner))} belong: only owners create triggers`,
      ),
    ],
    statements: [
      ...(database.canCreate
        ? []
        : [
            `create schema if not exists ${quoted(ownSchema)};`,
            `grant usage, create on schema ${quoted(ownSchema)} to ${to};`,
          ]),
      ...schemas.map((schema) => `grant usage on schema ${quoted(schema)} to ${to};`),
      ...unread.map((table) => `grant select on ${quoted(table.schema)}.${quoted(table.name)} to ${to};`),
      ...owners.flatMap((owner) => membership(owner, to, rows)),
    ],
  };
}

/** Membership in the owner's role, needed only while tables are attached or detached. */
function membership(owner: string, to: string, rows: readonly TableRow[]): readonly string[] {
  const isSuperuser = rows.some((row) => row.owner === owner && row.isOwnedBySuperuser);
  return [
    `-- Only owners create triggers. Needed while tables are attached or detached; afterwards: revoke ${quoted(owner)} from ${to};`,
    ...(isSuperuser
      ? [
          `-- ${owner} is a superuser, so until then ${to} may do everything. Safer: let a plain role own the tables.`,
        ]
      : []),
    `grant ${quoted(owner)} to ${to};`,
  ];
}

/** The statements as a block to paste. */
export function rightsBlock({ role, statements }: Pick<MissingRights, 'role' | 'statements'>): string {
  return [
    `-- Run once as the owner of the database, or as a superuser. ${role} needs no more than this.`,
    ...statements,
  ].join('\n');
}

/** Always in quotes: a table may be called `order` or `user`. */
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
