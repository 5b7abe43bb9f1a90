import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { parseTrustedJson } from 'rostack-core';
import { StaticAnswer } from './static-answer.ts';

/** Made by `scripts/bundle.ts`; the same folder seen from `src` and from `dist`. */
const FOLDER = new URL('../dist/explorer-assets/', import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** What `scripts/bundle.ts` writes next to the files. */
interface Manifest extends Record<'script' | 'styles' | 'icon', string> {
  readonly files: readonly string[];
}

/** The bundled scripts and styles; each name holds a hash of its content, so that it can be cached for good. */
export interface ExplorerAssets {
  /** File names of the page's entries. */
  readonly script: string;
  readonly styles: string;
  readonly icon: string;
  readonly find: (name: string) => StaticAnswer | undefined;
}

/** Reads the bundle. @throws Error when the package was not built */
export function loadExplorerAssets(): ExplorerAssets {
  const { files, ...entries } = readManifest();
  const answers = new Map(
    files.map((name) => {
      const headers = { ...HEADERS, 'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream' };
      return [name, new StaticAnswer(readFileSync(new URL(name, FOLDER)), headers)];
    }),
  );
  return { ...entries, find: (name) => answers.get(name) };
}

function readManifest(): Manifest {
  try {
    return parseTrustedJson(readFileSync(new URL('manifest.json', FOLDER), 'utf8')) as Manifest;
  } catch (cause) {
    throw new Error(`the explorer is not built: run the build of rostack-explorer (${FOLDER.pathname})`, {
      cause,
    });
  }
}
