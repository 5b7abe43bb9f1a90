import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { splitBundle } from './support/split-bundle.ts';

const root = resolve(import.meta.dirname, '..');

/** What a bundler takes for one import, and the most that it may be: in kilobytes (1,000 bytes), minified, gzip. */
interface Import {
  readonly names: readonly string[];
  readonly most: number;
  /** With code splitting: `first`, what is loaded at once; `all`, that and what is loaded later. @default one file */
  readonly split?: 'first' | 'all';
}

const IMPORTS: Readonly<Record<string, readonly Import[]>> = {
  'rostack-core': [
    { names: ['createProblem'], most: 5 },
    { names: ['parseServerMessage'], most: 7 },
    { names: ['createProblem', 'parseServerMessage'], most: 7 },
    { names: ['parseClientMessage'], most: 6 },
    { names: ['parseFilter', 'compileFilter'], most: 5 },
    { names: ['parseUriTemplate'], most: 2 },
    { names: ['parseDiscovery'], most: 9 },
  ],
  'rostack-client': [
    { names: ['connect'], split: 'first', most: 33 },
    { names: ['connect'], split: 'all', most: 52 },
    { names: ['connect'], most: 52 },
  ],
};

async function bundle(code: string, directory: string): Promise<{ kilobytes: number; inputs: string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: directory, loader: 'js' },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workspace-source'],
  });
  const text = outputFiles[0]?.contents ?? new Uint8Array();
  return {
    kilobytes: Math.ceil(gzipSync(text, { level: 9 }).length / 1000),
    inputs: Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs)),
  };
}

async function splitKilobytes(code: string, directory: string, which: 'first' | 'all'): Promise<number> {
  const { first, later } = await splitBundle(code, directory);
  const files = which === 'first' ? first : [...first, ...later];
  // Each file is compressed by itself, as servers do.
  const bytes = files.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
  return Math.ceil(bytes / 1000);
}

const SPLIT = { first: ', loaded first', all: ', with all that is loaded later' };

/** Where the table is. */
const PAGES: Readonly<Record<string, string>> = {
  'rostack-core': 'docs/libraries/core.md',
  'rostack-client': 'docs/libraries/client-browsers.md',
};

const TABLE = /\| import +\| gzip +\|\n(?:\|.*\n)+/;

describe.each(Object.entries(IMPORTS))('imports of %s', (name, imports) => {
  test('are as small as the documents say, and without Zod', async () => {
    const directory = join(root, 'packages', name);
    const rows: string[][] = [];
    for (const { names, most, split } of imports) {
      const code = `export { ${names.join(', ')} } from '${name}'`;
      const { kilobytes: whole, inputs } = await bundle(code, directory);
      expect(inputs.filter((file) => /node_modules\/zod/.test(file))).toEqual([]);
      const kilobytes = split === undefined ? whole : await splitKilobytes(code, directory, split);
      const isAlone = imports.every((other) => other.split === undefined);
      const how = split === undefined ? (isAlone ? '' : ', in one file') : SPLIT[split];
      const label = `${names.map((one) => `\`${one}\``).join(', ')}${how}`;
      expect(kilobytes, label).toBeLessThanOrEqual(most);
      rows.push([label, `${kilobytes} kB`]);
    }
    const table = [['import', 'gzip'], ...rows];
    const widths = [0, 1].map((column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
    const lines = [table[0] ?? [], widths.map((width) => '-'.repeat(width)), ...rows].map(
      (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`,
    );
    const file = join(root, PAGES[name] ?? '');
    const page = readFileSync(file, 'utf8');
    expect(page).toMatch(TABLE);
    await expect(page.replace(TABLE, () => lines.join(''))).toMatchFileSnapshot(file);
  });
});
