import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { z } from 'zod';
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

const manifestModel = z.object({
  script: z.string(),
  styles: z.string(),
  icon: z.string(),
  files: z.array(z.string()),
});

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
  const { files, ...entries } = readManifest(folder);
  const answers = new Map(
    files.map((name) => {
      const headers = { ...HEADERS, 'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream' };
      return [name, new StaticAnswer(readFileSync(new URL(name, folder)), headers)];
    }),
  );
  return { ...entries, find: (name) => answers.get(name) };
}

function readManifest(folder: URL): z.infer<typeof manifestModel> {
  try {
    return manifestModel.parse(JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8')));
  } catch (cause) {
    throw new Error(`the explorer is not built: run the build of rostack-gateway (${folder.pathname})`, {
      cause,
    });
  }
}
