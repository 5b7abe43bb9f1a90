import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';

/** Files that are there only while a database is open or a photo is being stored. */
const UNFINISHED = /-wal$|-shm$|-journal$|^\./;

/**
 * To be called when a cafeteria was closed.
 * @throws Error when it still listens, or has left a file that only a running one needs
 */
export async function checkNothingLeft(
  dataDir: string,
  urls: readonly (string | undefined)[],
): Promise<void> {
  const files = await readdir(dataDir, { recursive: true });
  const unfinished = files.filter((file) => UNFINISHED.test(basename(file)));
  if (unfinished.length > 0) throw new Error(`a closed cafeteria has left ${unfinished.join(', ')}`);
  for (const url of urls) {
    if (url === undefined) continue;
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isThere) throw new Error(`a closed cafeteria still answers at ${url}`);
  }
}
