import { readFileSync } from 'node:fs';

const { version: packageVersion } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

/** Version of this application, as its package says. */
export const version: string = packageVersion;
