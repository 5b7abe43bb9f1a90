import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file in `dist` that says from which sources it was built. */
export const SOURCE_HASH_FILE = 'dist/.sources';

/** A digest of what a package is built from: its sources, without tests. @param directory absolute */
export function sourceHash(directory: string): string {
  const hash = createHash('sha256');
  const files = globSync('src/**/*.{ts,tsx,css,json}', { cwd: directory })
    .filter((file) => !/\.(test|test-d|bench)\.tsx?$/.test(file))
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
  for (const file of files) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(directory, file)))
      .update('\0');
  }
  return hash.digest('hex');
}
