import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { StaticAnswer } from './static-answer.ts';

/** Made by `scripts/bundle-explorer.ts`; the same folder seen from `src` and from `dist`. */
const FOLDER = new URL('../../dist/explorer-assets/', import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The bundled scripts and styles; each name holds a hash of its content, so that it can be cached for ever. */
export interface ExplorerAssets {
  /** File names of the page's entries. */
  readonly script: string;
  readonly styles: string;
  readonly icon: string;
  readonly find: (name: string) => StaticAnswer | undefined;
}

/** Reads the bundle. @throws Error when the package was not built */
export function loadExplorerAssets(folder: URL = FOLDER): ExplorerAssets {
  const answers = new Map<string, StaticAnswer>();
  for (const name of readdirSync(folder)) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    answers.set(
      name,
      new StaticAnswer(readFileSync(new URL(name, folder)), { ...HEADERS, 'Content-Type': type }),
    );
  }
  const entry = (pattern: RegExp): string => {
    const name = [...answers.keys()].find((each) => pattern.test(each));
    if (name === undefined)
      throw new Error(`${folder.pathname} lacks ${pattern}: build rostack-gateway first`);
    return name;
  };
  return {
    script: entry(/^explorer-\w+\.js$/),
    styles: entry(/^explorer-\w+\.css$/),
    icon: entry(/^icon-\w+\.svg$/),
    find: (name) => answers.get(name),
  };
}
