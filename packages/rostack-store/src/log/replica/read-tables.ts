import { parseTrustedJson } from 'rostack-core';
import type { Work } from '../../drivers/database.ts';
import type { Dialect } from '../../drivers/dialect/dialect.ts';
import { SchemaTooNewError, StoreUnavailableError } from '../../errors/index.ts';
import { numberedTables } from '../../schema/define-resource.ts';
import { type Head, readHeads } from '../../schema/heads.ts';
import { readState, stateExists } from '../../schema/migrate.ts';
import { MIGRATIONS } from '../../schema/migrations.ts';
import type { Resource } from '../../schema/resource/resource.ts';
import type { StoredResource } from '../../schema/stored-resource.ts';
import type { FieldText, ResourceTables } from '../../schema/tables.ts';

/** What a store needs to know about its tables. */
export interface PreparedTables {
  readonly epoch: string;
  readonly stored: ReadonlyMap<string, StoredResource>;
}

/**
 * Finds the tables that a store on the primary has created, and changes nothing.
 * @throws SchemaTooNewError if a newer release has created them
 * @throws StoreUnavailableError if they do not exist yet, or belong to other definitions
 */
export function* readTables(dialect: Dialect, resources: readonly Resource[]): Work<PreparedTables> {
  const state = (yield* stateExists(dialect)) ? yield* readState(dialect) : undefined;
  const version = state?.schema_version ?? 0;
  if (version > MIGRATIONS.length) throw new SchemaTooNewError(version, MIGRATIONS.length);
  if (state === undefined || version < MIGRATIONS.length) {
    throw yetToCome('the tables of this release');
  }
  const stored = new Map<string, StoredResource>();
  const heads = yield* readHeads(dialect);
  for (const resource of resources) {
    stored.set(resource.name, { resource, tables: findTables(resource, heads.get(resource.name)) });
  }
  return { epoch: state.epoch, stored };
}

function findTables(resource: Resource, head: Head | undefined): ResourceTables {
  const { name } = resource;
  if (head === undefined) throw yetToCome(`the resource ${name}`);
  const tables = numberedTables(head.number, resource, parseTrustedJson(head.fields) as readonly FieldText[]);
  if (tables.fieldsText !== head.fields) throw yetToCome(`the indexed fields of ${name} as they are defined`);
  return tables;
}

const yetToCome = (what: string): StoreUnavailableError =>
  new StoreUnavailableError(
    `the replica does not have ${what}: open a store with the same resources at the primary first`,
  );
