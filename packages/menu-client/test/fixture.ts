import { readFileSync } from 'node:fs';

/** The text of a recorded shape, as the operator would send it. */
export function fixture(path: string): string {
  return readFileSync(new URL(`./fixtures/${path}.json`, import.meta.url), 'utf8');
}
