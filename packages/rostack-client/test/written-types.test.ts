import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { typeScriptOf } from 'rostack-core';
import { expect, test } from 'vitest';
import { defineObservatory } from './support/observatory.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const TSC = join(PACKAGE, '../../node_modules/.bin/tsc');

const PROGRAM = `import { connect } from 'rostack-client';
import type { Observatory } from './observatory.ts';
const client = await connect<Observatory>('https://localhost', { method: 'shared_token', token: '' });
const list = client.list('stations', {
  filter: { '/region': { eq: 'seoul' }, $or: [{ '/altitude': { gte: 3 } }] },
  sort: ['-/altitude', '/name'],
  fields: ['/id', '/altitude'],
});
for await (const { id, altitude } of list) console.log(id.toUpperCase(), altitude.toFixed());
for await (const message of client.subscribe('stations')) {
  if (message.kind === 'event' && message.eventType === 'station.created') console.log(message.data?.region.length);
}
`;

const MISTAKES = [
  "client.list('boats');",
  "client.list('stations', { filter: { '/region': { gt: 'a' } } });",
  "client.list('stations', { filter: { '/altitude': { gte: 'a' } } });",
  "client.list('stations', { sort: ['/region'] });",
  "client.subscribe('stations', { eventTypes: ['station.sunk'] });",
];

test('a client takes the types that the command writes, and refuses what they do not have', async () => {
  // Below the package, where its modules are found.
  const folder = join(PACKAGE, 'node_modules', `.written-types-${process.pid}`);
  await mkdir(folder, { recursive: true });
  try {
    const { discovery, schemas } = defineObservatory('https://localhost');
    await writeFile(join(folder, 'observatory.ts'), typeScriptOf(discovery, schemas));
    await writeFile(join(folder, 'program.ts'), `${PROGRAM}${MISTAKES.join('\n')}\n`);
    const tsconfig = { extends: join(PACKAGE, 'tsconfig.json'), include: ['*.ts'], exclude: [] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
    const output = await new Promise<string>((resolve) => {
      execFile(TSC, ['-p', folder, '--pretty', 'false'], (_error, stdout, stderr) =>
        resolve(stdout + stderr),
      );
    });
    const lines = PROGRAM.split('\n').length - 1;
    const found = [...output.matchAll(/program\.ts\((\d+),\d+\): error/g)].map(
      ([, line]) => Number(line) - lines,
    );
    expect(found, output).toEqual(MISTAKES.map((_, at) => at + 1));
  } finally {
    await rm(folder, { recursive: true });
  }
});
