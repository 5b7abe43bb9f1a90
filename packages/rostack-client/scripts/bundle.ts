/** Writes `dist/browser.js`: the client and what it has for browsers, with all that they import, as one module for a page without a build. */
import { resolve } from 'node:path';
import { build } from 'esbuild';

const folder = resolve(import.meta.dirname, '..');

await build({
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
});
