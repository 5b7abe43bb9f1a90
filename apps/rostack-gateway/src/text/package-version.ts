import { readFileSync } from 'node:fs';
import { parseTrustedJson } from 'rostack-core';
import { z } from 'zod';

const manifestModel = z.object({ version: z.string() });

/** The version of this package. */
export function packageVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return manifestModel.parse(parseTrustedJson(manifest)).version;
}
