/** Bundles the explorer's script, styles and icon for browsers into the folder that is given; names hold a hash of the content. */
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('usage: node scripts/bundle-explorer.ts <folder>\n');
  process.exit(1);
}

const source = resolve(import.meta.dirname, '../src/explorer/browser');
// Zod brings its messages in fifty languages; its errors are not shown here.
const withoutLocales: Plugin = {
  name: 'without-locales',
  setup: (bundle) => {
    bundle.onResolve({ filter: /\/locales\/index\.js$/ }, ({ path }) => ({ path, namespace: 'without-locales' }));
    bundle.onLoad({ filter: /.*/, namespace: 'without-locales' }, () => ({ contents: '' }));
  },
};

await rm(folder, { recursive: true, force: true });
await build({
  entryPoints: ['explorer.tsx', 'explorer.css', 'icon.svg'].map((name) => resolve(source, name)),
  outdir: folder,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  target: ['es2024', 'chrome120', 'firefox121', 'safari17.4'],
  minify: true,
  loader: { '.svg': 'copy' },
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  legalComments: 'none',
  plugins: [withoutLocales],
  logLevel: 'warning',
});
