import { ForeignServer } from 'test-support/foreign/foreign-server';
import { ledgerStyle } from 'test-support/foreign/ledger-style';
import { expect, test } from 'vitest';
import { jsonLines, runCommand } from './support/run-cli.ts';

test('two places that lead to the same records are asked about, by name, and --record-id says which', async () => {
  const things = {
    name: 'things',
    idMember: 'code',
    schema: { type: 'object', properties: { code: {}, label: {}, size: {} } },
    eventNames: { create: 'new', update: 'edit', delete: 'gone' },
    records: [{ code: 'x1', label: 'x1', size: 3 }],
  };
  await using server = await ForeignServer.start({ ...ledgerStyle, resources: [things] });
  const environment = { ROSTACK_TOKEN: server.tokens[0] };
  const run = (...argv: readonly string[]) => runCommand(argv, { environment });
  expect(await run('follow', server.url, 'things', '--once')).toMatchObject({
    code: 1,
    errors: expect.stringContaining('/code or /label'),
  });
  const said = await run('follow', server.url, 'things', '--once', '--record-id=/label');
  expect(said).toMatchObject({ code: 0, errors: '' });
  expect(jsonLines(said.output)[0]).toMatchObject({ kind: 'present', id: 'x1' });
  const wrong = await run('follow', server.url, 'things', '--once', '--record-id=label');
  expect(wrong).toMatchObject({ code: 2, errors: expect.stringContaining('JSON Pointer') });
});
