import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly description?: string;
  readonly license?: string;
  readonly repository?: { readonly url?: string; readonly directory?: string };
  readonly scripts?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly sideEffects?: boolean;
  readonly engines?: { readonly node?: string };
  readonly files?: readonly string[];
}

const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

const packages = globSync('{packages,apps}/*/package.json', { cwd: root })
  .sort()
  .map((file) => {
    const directory = dirname(file);
    return { directory, manifest: JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest };
  });

describe.for(packages)('$directory', ({ directory, manifest }) => {
  test('has complete metadata', () => {
    expect(manifest).toMatchObject({
      name: directory.split('/')[1],
      description: expect.stringMatching(/^.{20,140}\.$/),
      license: 'MIT',
      repository: { ...repository, directory },
      type: 'module',
      sideEffects: false,
      engines: { node: '>=22.18' },
      files: expect.arrayContaining(['dist']),
    });
    const refusal = manifest.private === true ? undefined : 'node ../../scripts/refuse-publish.ts';
    expect(manifest.scripts?.['prepublishOnly']).toBe(refusal);
  });
});
