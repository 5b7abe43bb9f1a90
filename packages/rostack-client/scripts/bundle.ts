/**
 * Writes `dist/browser.js`: the client and what it has for browsers, with all that they import, as one module for a page without a build.
 * `dist/browser.notices.txt` has the licences of what is inside.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { licencesOf } from '../../../scripts/bundle/licences.ts';

const folder = resolve(import.meta.dirname, '..');

const { metafile } = await build({
  absWorkingDir: folder,
  stdin: {
    contents: "export * from './src/index.ts'; export * from './src/browser/index.ts';",
    resolveDir: folder,
    loader: 'ts',
  },
  outfile: resolve(folder, 'dist/browser.js'),
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: ['es2024', 'chrome120', 'firefox121', 'safari17.4'],
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
});
writeFileSync(resolve(folder, 'dist/browser.notices.txt'), licencesOf(metafile, folder));
