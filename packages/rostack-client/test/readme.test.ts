import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import * as client from '../src/index.ts';
import { station } from './support/observatory.ts';
import { TestGateway } from './support/test-gateway.ts';
import { trustingEnvironment } from './support/trust.ts';

const directory = resolve(import.meta.dirname, '..');
const readme = readFileSync(join(directory, 'README.md'), 'utf8');
const api = readFileSync(join(directory, '../../docs/libraries/client-api.md'), 'utf8');

test('the example runs', async () => {
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  await using gateway = await TestGateway.start();
  await gateway.put('stations', station(1, { region: 'north' }), station(2));
  await using folder = await temporaryFolder();
  mkdirSync(join(directory, 'dist'), { recursive: true });
  // Inside the package, so that its name leads to itself, and where nothing else looks.
  const place = mkdtempSync(join(directory, 'dist/.readme-'));
  try {
    const file = join(place, 'example.ts');
    const code = example
      .replace('https://observatory.example', gateway.url)
      // The field is one of the sample observatory, which `npm start` serves.
      .replace("'/status': { eq: 'online' }", "'/region': { eq: 'north' }")
      .replace('follows.db', join(folder.path, 'follows.db'));
    writeFileSync(file, code);
    const child = spawn(process.execPath, ['--conditions=workspace-source', file], {
      env: { ...(await trustingEnvironment(folder.path)), ROSTACK_TOKEN: gateway.token().token },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    for await (const text of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
      printed += text;
      if (printed.includes('up to date')) child.kill();
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    expect(printed.split('\n')).toEqual([
      'station-0001 관측소 1',
      'station-0002 관측소 2',
      'initial 1',
      'up to date',
      '',
    ]);
  } finally {
    rmSync(place, { recursive: true });
  }
});

test('every error and every code is in the table; every export is named', () => {
  const sources = globSync('src/http/error/*.ts', { cwd: directory }).map((file) =>
    readFileSync(join(directory, file), 'utf8'),
  );
  const codes = sources.flatMap((text) =>
    [...text.matchAll(/\bcode(?: =|:) '(\w+)'/g)].map(([, code = '']) => code),
  );
  expect(codes.length).toBeGreaterThan(10);
  expect(codes.filter((code) => !api.includes(`\`${code}\``))).toEqual([]);
  // The base class is not thrown.
  const names = Object.keys(client).filter((name) => name !== 'ClientError');
  expect(names.filter((name) => !api.includes(`\`${name}`))).toEqual([]);
});

test('every limit that the table gives is the default', () => {
  const rows = api.slice(api.indexOf('## Limits'));
  const numbers = new Set(
    [...rows.matchAll(/\b[\d,]*\d\b/g)].map(([text]) => Number(text.replaceAll(',', ''))),
  );
  const { maxAttempts, ...limits } = client.DEFAULT_CLIENT_LIMITS;
  expect(Object.values(limits).filter((value) => !numbers.has(value))).toEqual([]);
  expect(maxAttempts).toBe(3);
});

test('the main entry uses nothing of Node', () => {
  const files = globSync('src/**/*.ts', { cwd: directory }).filter(
    (file) => !/^src\/(?:node|cli)\//.test(file) && !file.endsWith('.test.ts'),
  );
  expect(files.length).toBeGreaterThan(40);
  const guilty = files.filter((file) => {
    const text = readFileSync(join(directory, file), 'utf8');
    return /from 'node:|import\('node:|\bprocess\.|\bBuffer\.|\.\.\/node\//.test(text);
  });
  expect(guilty).toEqual([]);
});
