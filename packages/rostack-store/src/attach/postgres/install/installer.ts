import { run, send } from '../../../drivers/database.ts';
import { quoteText } from '../../../drivers/dialect/sql.ts';
import { installedNames } from '../../attachment/installation.ts';
import type { LayoutLook } from '../../attachment/layout.ts';
import type { Installer } from '../../driver/installer.ts';
import { query } from '../../source/query.ts';
import { captureObjects } from './capture.ts';
import { asleepObject, inboxObject } from './inbox.ts';
import { inspectTable } from './inspect-table.ts';
import { FORM, layoutQuery } from './layout.ts';
import { uninstall } from './uninstall.ts';

export const postgresInstaller: Installer = {
  form: FORM,
  lock: (schema) =>
    query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`rostack-store attach ${schema}`]),
  *inspect(source, isInstalling) {
    const { isChild, ...inspected } = yield* inspectTable(source, isInstalling);
    return {
      ...inspected,
      objects: (table) => [inboxObject(table), asleepObject(table), ...captureObjects(table, isChild)],
    };
  },
  *look(table) {
    const [look] = yield* run<LayoutLook>(layoutQuery(table));
    if (look === undefined) throw new TypeError('a select of one row gave none');
    return look;
  },
  *isComplete(table, objects) {
    const functions = objects.filter(({ body }) => body !== undefined);
    const [found] = yield* query<{ isComplete: boolean }>(
      `select to_regclass($1) is not null and to_regclass($2) is not null
        and not exists (select from unnest($3::text[], $4::text[]) f (name, body)
        where not exists (select from pg_catalog.pg_proc p where p.oid = to_regprocedure(f.name) and p.prosrc = f.body)) as "isComplete"`,
      [
        installedNames(table).inbox,
        installedNames(table).asleep,
        functions.map(({ name }) => name.slice('function '.length)),
        functions.map(({ body }) => body),
      ],
    );
    return found?.isComplete === true;
  },
  *install(objects, table) {
    for (const { name, create } of objects) {
      const comment = `rostack-store: captures the changes of ${table}; removed by detach`;
      for (const statement of [...create, `comment on ${name} is ${quoteText(comment)}`]) {
        // Sent without waiting: there are 32 statements.
        yield* send({ kind: 'once', sql: statement, parameters: [] });
      }
    }
  },
  uninstall,
};
