/**
 * Bundles the explorer's script, styles and icon for browsers into the folder that is given; names hold a hash of the content. The licences
 * of what is inside go with it, in a file that the manifest does not name and that is therefore not served.
 */
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { cwd } from 'node:process';
import { build } from 'esbuild';
import { licencesOf } from '../../../scripts/bundle/licences.ts';
import { withoutLocales } from '../../../scripts/bundle/without-locales.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('usage: node scripts/bundle.ts <folder>\n');
  process.exit(1);
}

const source = resolve(import.meta.dirname, '../src/browser');
const NOTICES = 'explorer.notices.txt';
const ENTRIES = { script: 'explorer.tsx', styles: 'explorer.css', icon: 'icon.svg' };

const { metafile } = await build({
  entryPoints: Object.values(ENTRIES).map((name) => join(source, name)),
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
  logLevel: 'warning',
  metafile: true,
  plugins: [withoutLocales],
});

const outputs = Object.entries(metafile.outputs);
const builtFrom = (entry: string): string => {
  const found = outputs.find(([, { entryPoint = '' }]) => basename(entryPoint) === entry);
  if (found === undefined) throw new Error(`the bundle lacks ${entry}`);
  return basename(found[0]);
};
const files = outputs.map(([path]) => basename(path));
const manifest = {
  ...Object.fromEntries(Object.entries(ENTRIES).map(([role, entry]) => [role, builtFrom(entry)])),
  files,
};
await writeFile(join(folder, NOTICES), licencesOf(metafile, cwd()));
// A reader always finds one whole bundle: files are there before the manifest names them, and go after.
await writeFile(join(folder, 'manifest.json.new'), `${JSON.stringify(manifest, null, 2)}\n`);
await rename(join(folder, 'manifest.json.new'), join(folder, 'manifest.json'));
for (const name of await readdir(folder)) {
  if (!['manifest.json', NOTICES, ...files].includes(name)) await rm(join(folder, name));
}
