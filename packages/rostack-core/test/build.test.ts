import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const directory = resolve(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};
const tsc = resolve(directory, '../../node_modules/.bin/tsc');

// A separate build next to the package, so that it finds the dependencies and disturbs nobody.
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(directory, 'node_modules/.build-'));
  const options = [
    '--outDir',
    folder,
    '--composite',
    'false',
    '--incremental',
    'false',
    '--declaration',
    'false',
    '--declarationMap',
    'false',
  ];
  execFileSync(tsc, ['-p', 'tsconfig.build.json', ...options], { cwd: directory, stdio: 'pipe' });
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('the build imports nothing but its own files and its dependencies', () => {
  const imported = new Set<string>();
  for (const file of globSync('**/*.js', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8');
    // A member may have the name 'from' too, in quotes.
    for (const [, specifier = ''] of text.matchAll(/(?<!['"])\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      if (specifier.startsWith('.')) continue;
      imported.add(/^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier);
    }
  }
  expect([...imported].toSorted()).toEqual(Object.keys(manifest.dependencies).toSorted());
});

test('the build is compiled without the types of any runtime', () => {
  const config = execFileSync(tsc, ['-p', 'tsconfig.build.json', '--showConfig'], {
    cwd: directory,
    encoding: 'utf8',
  });
  expect(JSON.parse(config)).toMatchObject({ compilerOptions: { types: [], lib: ['es2024'] } });
});

test('the build works where code may not be made of text', () => {
  writeFileSync(
    join(folder, 'probe.mjs'),
    `import { compileFilter, defineImplementation, parseClientMessage, parseFilter, parseUriTemplate } from './index.js';
    const { discovery } = defineImplementation({
      id: 'i', name: 'n', apiVersion: '1', documentationUrl: 'https://a.example/', baseUrl: 'https://a.example',
      permissions: { 'a:b': 'c' },
      resources: { r: { model: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }, readPermissions: ['a:b'] } },
    });
    parseClientMessage('{"type":"ping","id":"1"}');
    const matches = compileFilter(parseFilter({ '/a': { gte: 1 } }))({ a: 2 });
    const url = parseUriTemplate(discovery.resources[0].item_url_template).expand({ id: 'x/y' });
    process.stdout.write(JSON.stringify({ matches, url }));`,
  );
  const output = execFileSync(
    process.execPath,
    ['--disallow-code-generation-from-strings', join(folder, 'probe.mjs')],
    {
      encoding: 'utf8',
    },
  );
  expect(JSON.parse(output)).toEqual({ matches: true, url: 'https://a.example/api/r/x%2Fy' });
});
