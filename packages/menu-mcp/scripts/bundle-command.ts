/**
 * Bundles the MCP SDK into the command, so that `npx menu-mcp` runs without the package installing an SDK, and writes the
 * SDK's licences next to it. Everything else that the command imports is a dependency of the package.
 */
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';

const root = resolve(import.meta.dirname, '..');
const output = join(root, 'dist/program.js');

const sdkAlone: Plugin = {
  name: 'sdk-alone',
  setup: (bundle) => {
    bundle.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@modelcontextprotocol/') ? undefined : { external: true },
    );
  },
};

const { metafile } = await build({
  entryPoints: [join(root, 'src/program.ts')],
  outfile: output,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.18',
  legalComments: 'inline',
  logLevel: 'warning',
  metafile: true,
  plugins: [sdkAlone],
});
// The source map of the file that the compiler had written there.
rmSync(`${output}.map`, { force: true });

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;
const folders = new Set(
  Object.keys(metafile.inputs).flatMap((file) => PACKAGE.exec(resolve(file))?.[0] ?? []),
);
const licences = [...folders].sort().map((folder) => {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
  };
  const [file] = globSync('LICEN[CS]E*', { cwd: folder });
  if (file === undefined)
    throw new Error(`${name} has no file with its licence: its text has to go with the command`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
});
writeFileSync(join(root, 'dist/program.notices.txt'), licences.join('\n----\n\n'));
