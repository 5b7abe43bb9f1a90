import { readFileSync } from 'node:fs';

/** A file under `vectors/`. */
export const vectorFile = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../vectors/${file}`, import.meta.url), 'utf8'));

/** The rows of a file under `vectors/`. */
export const vectorCases = (file: string): readonly unknown[] =>
  (vectorFile(file) as { readonly cases: readonly unknown[] }).cases;
