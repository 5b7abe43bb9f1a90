import { join } from 'node:path';
import { ForeignServer } from 'test-support/foreign/foreign-server';
import { textOf } from 'test-support/foreign/foreign-style';
import { goStyle } from 'test-support/foreign/go-style';
import { ledgerStyle } from 'test-support/foreign/ledger-style';
import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  change,
  FOREIGN_CASES,
  type ForeignCase,
  heldBy,
} from '../../rostack-client/test/support/foreign-cases.ts';
import { postgresTable, sqliteTable } from './support/mirrored-table.ts';
import { jsonLines, runCommand } from './support/run-cli.ts';

async function open(style: ForeignCase['style']) {
  const server = await ForeignServer.start(style);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const [token] = server.tokens;
  const run = (...argv: readonly string[]) => runCommand(argv, { environment: { ROSTACK_TOKEN: token } });
  return { server, run };
}

describe.for(FOREIGN_CASES)('of $style.name, $title', (one) => {
  const { resource, idMember, added, changed } = one;

  test('is listed and got', async () => {
    const { server, run } = await open(one.style);
    server.put(resource, added);
    const { code, output, errors } = await run('list', server.url, resource);
    expect([code, errors]).toEqual([0, '']);
    expect(jsonLines(output)).toEqual(server.records(resource));
    const id = textOf(added[idMember]);
    expect(await run('get', server.url, resource, id)).toMatchObject({ code: 0, errors: '' });
    expect(await run('get', server.url, resource, 'none')).toMatchObject({ code: 3 });
  });

  test.for([
    ['SQLite', (folder: string) => sqliteTable(folder)],
    ['PostgreSQL', postgresTable],
  ] as const)('is mirrored in %s', async ([name, openTable]) => {
    const { server } = await open(one.style);
    await using folder = await temporaryFolder();
    await using table = await openTable(folder.path);
    const environment = { ROSTACK_TOKEN: server.tokens[0], ...table.environment };
    const named = name === 'SQLite' ? ['--table=stations'] : [];
    const mirror = () =>
      runCommand(['mirror', server.url, resource, ...table.argv, ...named, '--once'], { environment });
    expect(await mirror()).toMatchObject({ code: 0 });
    expect(Object.fromEntries(await table.records())).toEqual(heldBy(server, one));
    change(server, one);
    expect(await mirror()).toMatchObject({ code: 0 });
    expect(Object.fromEntries(await table.records())).toEqual(heldBy(server, one));
  });

  test('is printed as it changes', async () => {
    const { server, run } = await open(one.style);
    await using folder = await temporaryFolder();
    const state = join(folder.path, 'state.db');
    const print = () => run('follow', server.url, resource, '--state', state, '--once');
    const printed = await print();
    expect(printed).toMatchObject({ code: 0, errors: '' });
    const present = Object.keys(heldBy(server, one));
    expect(jsonLines(printed.output).map(({ id }) => id)).toEqual([...present, undefined]);
    change(server, one);
    const more = await print();
    expect(jsonLines(more.output).at(-2)).toMatchObject({ kind: 'deleted', id: textOf(changed[idMember]) });
  });
});

test.for([goStyle, ledgerStyle])('doctor finds no fault with $name, and types describe it', async (style) => {
  const { server, run } = await open(style);
  const { code, output } = await run('doctor', server.url, '--json');
  expect(jsonLines(output).filter(({ level }) => level === 'fault')).toEqual([]);
  expect(code).toBe(0);
  const types = await run('types', server.url);
  expect(types).toMatchObject({ code: 0, errors: '' });
  for (const { name } of style.resources) expect(types.output).toContain(name);
});

test('a list of strings is filtered by what it contains', async () => {
  const { server, run } = await open(ledgerStyle);
  const filter = JSON.stringify({ '/tags': { contains: 'blue' } });
  const blue = server.records('books').filter(({ tags }) => (tags as string[]).includes('blue'));
  const { output, errors } = await run('list', server.url, 'books', `--filter=${filter}`);
  expect([jsonLines(output), errors]).toEqual([blue, '']);
});
