/**
 * Bundles a command of a package with all that it imports into a few files, since a program of a thousand modules takes half a second to
 * load. Run it in the package's folder, after the compiler: `bundle-command.ts src/cli/program.ts [PART...]`. A part is what another package
 * finds by `import.meta.url`: the module of a thread (`rostack-store/src/x-thread.ts`), a folder (`rostack-explorer/dist/assets`), or the
 * manifest (`rostack-mcp/package.json`), of which the version is kept.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { argv, cwd } from 'node:process';
import { build, type Metafile } from 'esbuild';
import { licencesOf } from './licences.ts';
import { ownPlaces } from './own-places.ts';
import { withoutLocales } from './without-locales.ts';

/** Packages with binaries, and large ones that few runs load. */
const ALWAYS_OUT = ['better-sqlite3', 'sharp', 'selfsigned', '@nats-io/transport-node'];
/** Left out where the package has them as peers, since its user installs them. Other peers, such as an SDK, are bundled. */
const DRIVERS = ['pg'];
/** Packages look for these and do without. */
const OPTIONAL = ['bufferutil', 'utf-8-validate', 'pg-native', 'pg-cloudflare'];
/** What modules of CommonJS have, for those in the bundle. */
const COMMONJS = `import { createRequire as createRequireHere } from 'node:module';
const require = createRequireHere(import.meta.url);
const { filename: __filename, dirname: __dirname } = import.meta;`;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const [entry = '', ...parts] = argv.slice(2);
const root = cwd();
const name = basename(entry, '.ts');
const output = resolve(root, dirname(entry).replace(/^src/, 'dist'));
const { dependencies = {}, peerDependencies = {} } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as Manifest;

const threads = parts.filter((part) => part.endsWith('.ts'));
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: {
    [name]: entry,
    ...Object.fromEntries(
      threads.map((part) => [part.replace('/src/', '/dist/').slice(0, -3), `../../packages/${part}`]),
    ),
  },
  outdir: output,
  bundle: true,
  splitting: true,
  chunkNames: 'chunk-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node22.18',
  conditions: ['workspace-source'],
  banner: { js: COMMONJS },
  external: [...ALWAYS_OUT, ...OPTIONAL, ...DRIVERS.filter((driver) => driver in peerDependencies)],
  legalComments: 'inline',
  logLevel: 'warning',
  metafile: true,
  plugins: [ownPlaces(root, output), withoutLocales],
});
for (const part of parts.filter((each) => !threads.includes(each))) {
  // Names of its files hold hashes: those of builds before would stay.
  rmSync(join(output, part), { recursive: true, force: true });
  const source = resolve(root, '../../packages', part);
  if (basename(part) !== 'package.json') cpSync(source, join(output, part), { recursive: true });
  else {
    mkdirSync(dirname(join(output, part)), { recursive: true });
    const { name: owner, version } = JSON.parse(readFileSync(source, 'utf8')) as Manifest;
    writeFileSync(join(output, part), `${JSON.stringify({ name: owner, version, type: 'module' })}\n`);
  }
}
refuseUndeclared(metafile);
removeOlder(metafile);
writeFileSync(join(output, `${name}.notices.txt`), licencesOf(metafile, root));

/** What is left out has to be there when the package is installed. */
function refuseUndeclared({ outputs }: Metafile): void {
  const declared = Object.keys({ ...dependencies, ...peerDependencies });
  for (const { path } of Object.values(outputs).flatMap(({ imports }) => imports.filter(isExternal))) {
    const [needed = ''] = /^(@[^/]+\/)?[^/]+/.exec(path) ?? [];
    if (isBuiltin(path) || declared.includes(needed) || OPTIONAL.includes(needed)) continue;
    throw new Error(`the command imports ${path}, which is no dependency of its package`);
  }
}

function isExternal({ external }: { readonly external?: boolean }): boolean {
  return external === true;
}

/** Chunks of builds before, and the source map of the file that the compiler had written. */
function removeOlder({ outputs }: Metafile): void {
  const written = new Set(Object.keys(outputs).map((path) => resolve(root, path)));
  for (const chunk of globSync(join(output, 'chunk-*.js'))) {
    if (!written.has(chunk)) rmSync(chunk);
  }
  rmSync(join(output, `${name}.js.map`), { force: true });
}
