import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly description?: string;
  readonly license?: string;
  readonly homepage?: string;
  readonly repository?: unknown;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly sideEffects?: boolean;
  readonly engines?: { readonly node?: string };
  readonly files?: readonly string[];
}

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
      type: 'module',
      sideEffects: false,
      engines: { node: '>=22.18' },
      files: expect.arrayContaining(['dist']),
    });
    // Where the project lives stands in the manifest of the root, and is added when a package is packed.
    expect([manifest.repository, manifest.homepage]).toEqual([undefined, undefined]);
    const refusal = manifest.private === true ? undefined : 'node ../../scripts/refuse-publish.ts';
    expect(manifest.scripts?.['prepublishOnly']).toBe(refusal);
  });
});
