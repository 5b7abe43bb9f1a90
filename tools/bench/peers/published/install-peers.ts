import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where npm installs what others publish. */
export const PEERS_FOLDER = resolve(import.meta.dirname, '..');

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const manifestIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Installs the peers from their lock file, unless these versions are there. @throws Error when npm cannot */
export function installPeers(): void {
  const missing = Object.entries(manifestIn(PEERS_FOLDER).dependencies).filter(([name, version]) => {
    const folder = join(PEERS_FOLDER, 'node_modules', name);
    return !existsSync(folder) || manifestIn(folder).version !== version;
  });
  if (missing.length === 0) return;
  console.log(`installing ${missing.map((each) => each.join('@')).join(', ')}`);
  try {
    // What they need of native code they bring along, so no script of theirs has to run.
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: PEERS_FOLDER,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } catch (cause) {
    throw new Error(`npm cannot install the peers: run \`npm ci\` in ${PEERS_FOLDER}`, { cause });
  }
}

/** A module of a peer; types are checked without it being installed. */
export async function peerModule<Module>(name: string): Promise<Module> {
  return (await import(name)) as Module;
}

/** The version of a peer, as the reports name it. */
export const versionOf = (name: string): string => manifestIn(PEERS_FOLDER).dependencies[name] ?? 'unknown';
