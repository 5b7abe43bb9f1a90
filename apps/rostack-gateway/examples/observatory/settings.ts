import { resolve } from 'node:path';
import { z } from 'zod';

export interface Settings {
  readonly port: number;
  readonly dataDir: string;
}

const model = z.object({
  ROSTACK_PORT: z.coerce.number('must be a number').int().min(0).max(65_535).default(8443),
  DATA_DIR: z.string().min(1).default('data'),
});

/**
 * Reads `ROSTACK_PORT` (0 to 65535, default 8443) and `DATA_DIR` (default `data`).
 * @throws Error with one sentence per variable that is wrong
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const result = model.safeParse(environment);
  if (!result.success) {
    throw new Error(
      result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}.`).join(' '),
    );
  }
  return { port: result.data.ROSTACK_PORT, dataDir: resolve(result.data.DATA_DIR) };
}
