import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;
const SECTION = /^##? licen[cs]e\s*$/im;

/** The licences of the packages in a bundle, whose texts have to go with it. @throws Error when a package has none */
export function licencesOf({ inputs }: Metafile, root: string): string {
  const folders = new Set(
    Object.keys(inputs).flatMap((file) => PACKAGE.exec(resolve(root, file))?.[0] ?? []),
  );
  const licences = [...folders].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly name: string;
      readonly version: string;
    };
    const text = licenceIn(folder);
    if (text === undefined) throw new Error(`${name} has no licence: its text has to go with the bundle`);
    return `${name} ${version}\n\n${text.trim()}\n`;
  });
  return licences.join('\n----\n\n');
}

/** A file of its own, or the README from its first heading `License` to the next of that name, or to the end. */
function licenceIn(folder: string): string | undefined {
  const [file] = globSync('{LICEN[CS]E,licen[cs]e}*', { cwd: folder });
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8');
  const [readme] = globSync('README.md', { cwd: folder });
  return readme === undefined ? undefined : readFileSync(join(folder, readme), 'utf8').split(SECTION)[1];
}
