import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyDiscoveryDocument, JsonSchema } from 'rostack-core';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { page } from '../../rostack-client/test/support/hostile-client.ts';
import { type Answer, HostileServer, json } from '../../rostack-client/test/support/hostile-server.ts';
import { jsonLines, runCommand } from './support/run-cli.ts';

/** Clears a screen, in C0 and in C1, deletes, runs backwards, and hides. */
const HOSTILE = 'x\u001b[2J\u009b2J\u007f\u202egnp\u2066\u0007\r\u{e0041}';
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;
const RECORD = { id: HOSTILE, name: HOSTILE, region: `north\nforged`, altitude: 1 };

const discovery = (honest: AnyDiscoveryDocument): unknown => ({
  ...honest,
  implementation: { ...honest.implementation, name: HOSTILE },
  resources: honest.resources.map((resource) => ({ ...resource, description: HOSTILE })),
});

const schema: JsonSchema = {
  title: HOSTILE,
  description: HOSTILE,
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', description: HOSTILE }, [HOSTILE]: { const: HOSTILE } },
};

const honestly: Answer = (_request, response, { pathname }) => {
  if (pathname.includes('schema')) json(response, 200, schema);
  else if (pathname.includes('stations/')) {
    response.setHeader('etag', '"1"');
    json(response, 200, RECORD);
  } else json(response, 200, page({}, [RECORD]));
};

const refusing: Answer = (_request, response) =>
  json(response, 400, { type: 'about:blank', code: HOSTILE, title: HOSTILE, status: 400, detail: HOSTILE });

const start = (answer: Answer) =>
  HostileServer.start({
    discovery,
    answer,
    talk: (conversation) => {
      conversation
        .authenticates({ principal_id: HOSTILE })
        .subscribes((subscription) => conversation.event(subscription, 1, RECORD));
    },
  });

const COMMANDS: readonly (readonly string[])[] = [
  ['list', 'URL', 'stations'],
  ['list', 'URL', 'stations', '--output=table'],
  ['get', 'URL', 'stations', 'a'],
  ['get', 'URL', 'stations', 'a', '--output=table'],
  ['follow', 'URL', 'stations', '--once'],
  ['follow', 'URL', 'stations', '--once', '--output=table'],
  ['mirror', 'URL', 'stations', 'FOLDER/a.ndjson', '--once'],
  ['doctor', 'URL'],
  ['doctor', 'URL', '--json'],
  ['types', 'URL'],
  ['openapi', 'URL'],
  ['asyncapi', 'URL'],
  ['types', 'URL', '--out=FOLDER/types.ts'],
];

test.each(
  COMMANDS.flatMap((argv) => [
    { argv, isTTY: true },
    { argv, isTTY: false },
  ]),
)('$argv: nothing that a server says controls a terminal (a terminal: $isTTY)', async ({ argv, isTTY }) => {
  await using folder = await temporaryFolder();
  const environment = { ROSTACK_TOKEN: HOSTILE.replace(OBEYED, '').replaceAll(/[^a-z]/g, '') };
  for (const answer of [honestly, refusing]) {
    await using server = await start(answer);
    const line = argv.map((word) => word.replace('URL', server.url).replace('FOLDER', folder.path));
    const { output, errors } = await runCommand(line, { environment, isTTY });
    const files = await readdir(folder.path);
    const written = await Promise.all(files.map((name) => readFile(join(folder.path, name), 'utf8')));
    // What a mirror keeps is data.
    const told = [output, errors, ...(argv[0] === 'mirror' ? [] : written)].join('');
    expect(told).not.toMatch(OBEYED);
    expect([output, ...written, ...(answer === honestly ? [] : [errors])].join('')).not.toBe('');
    expect(errors).not.toContain('is not defined');
  }
});

test('data that is piped is the same JSON, and a table has one line for a record', async () => {
  await using server = await start(honestly);
  const environment = { ROSTACK_TOKEN: 'secret' };
  const { output } = await runCommand(['list', server.url, 'stations'], { environment });
  expect(jsonLines(output)).toEqual([RECORD]);
  const { output: table } = await runCommand(['list', server.url, 'stations'], { environment, isTTY: true });
  expect(table.trimEnd().split('\n')).toHaveLength(2);
  expect(table).toContain('x\\u001b[2J');
  const followed = await runCommand(['follow', server.url, 'stations', '--once'], {
    environment,
    isTTY: true,
  });
  expect(followed.output).toContain('\\u001b[2J');
  expect(followed.output.trimEnd().split('\n')).toHaveLength(2);
});

test('the reason of a wait is one line', async () => {
  let asked = 0;
  await using server = await HostileServer.start({
    answerDiscovery: (_request, response) => {
      asked += 1;
      const detail = `busy\nwaiting 1 ms: forged ${HOSTILE}`;
      if (asked === 1)
        json(response, 503, { type: 'about:blank', code: 'unavailable', title: detail, status: 503, detail });
      else json(response, 404, {});
    },
  });
  const { errors } = await runCommand(['follow', server.url, 'stations'], {
    environment: { ROSTACK_TOKEN: 'x' },
  });
  expect(errors).not.toMatch(OBEYED);
  expect(errors.split('\n').filter((line) => line.startsWith('waiting'))).toHaveLength(1);
});
