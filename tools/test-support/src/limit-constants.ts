import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LIMIT = /^\s*(?:export )?const ((?:MAX|MIN)_[A-Z0-9_]+) = /gm;

/** The constants in the sources below a folder that say how much is allowed, each with its file: `a/b.ts MAX_DEPTH`. */
export function limitConstants(source: string): readonly string[] {
  return globSync('**/*.{ts,tsx}', { cwd: source })
    .filter((file) => !/\.test(-d)?\.tsx?$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(source, file), 'utf8');
      return Array.from(text.matchAll(LIMIT), ([, name]) => `${file} ${name}`);
    })
    .sort();
}

/** Whether a size is within a limit. */
export type Accepts = (size: number) => boolean | Promise<boolean>;

/** 0, 1, 2, ... */
export const numbered = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index);

export const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );
