import { readFileSync } from 'node:fs';

/** The rows of a file under `vectors/`. */
export function vectorCases(file: string): readonly unknown[] {
  const text = readFileSync(new URL(`../../vectors/${file}`, import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly cases: readonly unknown[] }).cases;
}
