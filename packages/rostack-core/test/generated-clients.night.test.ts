import { execFile } from 'node:child_process';
import { readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openApiOf } from 'rostack-core';
import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { observatory } from './support/described-observatory.ts';

const run = promisify(execFile);
const TOOLS = join(import.meta.dirname, '../../../tools/client-generators/node_modules');

/** What each generator is asked, to write a client of `openapi.json` that uses `fetch` into `client`. */
const GENERATORS: readonly (readonly [name: string, command: string, ...argv: string[]])[] = [
  ['@hey-api/openapi-ts', 'openapi-ts', '-i', 'openapi.json', '-o', 'client'],
  ['openapi-typescript', 'openapi-typescript', 'openapi.json', '-o', 'client/schema.ts'],
  ['orval', 'orval', '--input', './openapi.json', '--output', './client/api.ts', '--client', 'fetch'],
  [
    'swagger-typescript-api',
    'swagger-typescript-api',
    'generate',
    '-p',
    'openapi.json',
    '-o',
    'client',
    '-n',
    'api.ts',
  ],
];

const STRICT = [
  '--noEmit',
  '--strict',
  '--skipLibCheck',
  '--target',
  'es2022',
  '--module',
  'esnext',
  '--moduleResolution',
  'bundler',
  '--lib',
  'es2022,dom,dom.iterable',
];

describe.each(GENERATORS)('%s', (_name, command, ...argv) => {
  test.each(['2026-08-12', '2026-08-13'] as const)(
    'makes a client of release %s that compiles',
    async (release) => {
      await using folder = await temporaryFolder();
      const { discovery, schemas } = observatory(release);
      await writeFile(join(folder.path, 'openapi.json'), JSON.stringify(openApiOf(discovery, schemas)));
      await symlink(TOOLS, join(folder.path, 'node_modules'));
      await run(join(TOOLS, '.bin', command), argv, { cwd: folder.path });
      const made = await readdir(join(folder.path, 'client'), { recursive: true });
      const sources = made.filter((file) => file.endsWith('.ts')).map((file) => join('client', file));
      expect(sources).not.toEqual([]);
      // What the compiler has to say is in the failure.
      const { stdout } = await run(join(TOOLS, '.bin/tsc'), [...STRICT, ...sources], {
        cwd: folder.path,
      }).catch((failed: { stdout: string }) => failed);
      expect(stdout).toBe('');
    },
  );
});
