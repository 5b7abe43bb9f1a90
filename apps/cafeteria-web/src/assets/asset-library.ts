import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { BASE_HEADERS } from '../answers/http/headers.ts';
import { Rendering } from '../answers/rendering.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** The parts of `site.css` in the order of the cascade: what comes later wins. */
export const STYLE_PARTS = [
  'colours',
  'base',
  'frame',
  'search',
  'restaurants',
  'home',
  'dates',
  'controls',
  'notes',
  'menus',
  'nutrition',
  'takeout',
  'lightbox',
  'dish',
  'themes',
  'alarm',
  'errors',
  'week',
  'month',
  'preferences',
  'print',
] as const;

const SHEET = 'site.css';
const TEXT_TYPE = /^text\/|\+xml$/;
const FOREVER = 'public, max-age=31536000, immutable';

/** The static files, each at an address that contains the hash of its bytes. */
export interface AssetLibrary {
  /** Address of a file by its plain name. @throws Error when there is no such file */
  readonly url: (name: string) => string;
  /** The file at an address; undefined for any other path. */
  readonly find: (path: string) => Rendering | undefined;
  /** A file by its plain name. */
  readonly file: (name: string) => Rendering;
  /** Text of the service worker, which has an address that never changes. */
  readonly serviceWorker: string;
  /** Addresses of every script and style sheet, for the service worker to keep. */
  readonly urls: readonly string[];
}

/** One sheet: pages need all of it within a visit or two, and it weighs a few KiB. */
function joinStyles(folder: URL): Buffer {
  return Buffer.concat(STYLE_PARTS.map((part) => readFileSync(new URL(`styles/${part}.css`, folder))));
}

/** Reads every file of the folder once; the parts of the style sheet become `site.css`. */
export function loadAssets(folder: URL = new URL('../../assets/', import.meta.url)): AssetLibrary {
  const byName = new Map<string, { readonly url: string; readonly file: Rendering }>();
  const byUrl = new Map<string, Rendering>();
  for (const name of [...readdirSync(folder), SHEET].sort()) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const bytes = name === SHEET ? joinStyles(folder) : readFileSync(new URL(name, folder));
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10);
    const url = `/assets/${name.replace(/(\.[a-z]+)$/, `.${hash}$1`)}`;
    const file = new Rendering(TEXT_TYPE.test(type) ? bytes.toString('utf8') : bytes, {
      ...BASE_HEADERS,
      'Content-Type': type,
      'Cache-Control': FOREVER,
    });
    byName.set(name, { url, file });
    byUrl.set(url, file);
  }
  const get = (name: string) => {
    const found = byName.get(name);
    if (found === undefined) throw new Error(`there is no static file ${JSON.stringify(name)}`);
    return found;
  };
  return {
    url: (name) => get(name).url,
    file: (name) => get(name).file,
    serviceWorker: readFileSync(new URL('worker/service-worker.js', folder), 'utf8'),
    find: (path) => byUrl.get(path),
    urls: [...byUrl.keys()].filter((url) => /\.(css|js|svg)$/.test(url)),
  };
}
