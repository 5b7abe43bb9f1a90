import { connectPostgres } from '../../publish/catalogue/connect-postgres.ts';
import { readPostgresCatalogue } from '../../publish/catalogue/postgres-catalogue.ts';
import { missingRights, rightsBlock } from '../../publish/catalogue/postgres-rights.ts';
import { chooseTables } from '../../publish/choose-columns.ts';
import { isPostgres } from '../../publish/data-source.ts';
import { type RegisterCommand, UsageError, writeLine } from './command.ts';
import { namesOf, type ProjectOptions, tableOption } from './project.ts';

interface GrantsOptions extends ProjectOptions {
  readonly role?: string;
  readonly schema: string;
}

/** `grants`: the SQL that gives a role what publishing tables needs, and nothing more. */
export const registerGrants: RegisterCommand = (program, io) => {
  program
    .command('grants <url>')
    .description(
      'print the SQL that a role without superuser lacks to publish tables; run it once as their owner',
    )
    .addOption(tableOption())
    .option('-r, --role <name>', 'the role that gateways use (default: that of the URL)')
    .option('--schema <name>', 'where gateways keep their own tables: `store.schema`', 'rostack')
    .action(async (url: string, options: GrantsOptions) => {
      if (!isPostgres(url))
        throw new UsageError('grants is for PostgreSQL: write postgres://user@host:port/database');
      const client = await connectPostgres(url);
      try {
        const catalogue = await readPostgresCatalogue(client, options.schema);
        const tables = chooseTables(catalogue, namesOf(options.table));
        const rights = await missingRights(client, tables, options.schema, options.role);
        if (rights.statements.length > 0) writeLine(io.stdout, rightsBlock(rights));
        for (const line of rights.missing) writeLine(io.stderr, `${rights.role}: ${line}`);
        if (rights.missing.length === 0) writeLine(io.stderr, `${rights.role} lacks nothing`);
      } finally {
        await client.end();
      }
    });
};
