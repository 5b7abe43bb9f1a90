import { z } from 'zod';
import { value } from './values.ts';

const ENVIRONMENT_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

const byEnvironment = z.strictObject({
  env: value(z.string().regex(ENVIRONMENT_NAME), {
    write: 'the name of an environment variable, such as ROSTACK_ADMIN_TOKEN',
  }),
});
const byFile = z.strictObject({
  file: value(z.string().min(1).max(4_096), { write: 'the path of the file that holds the secret' }),
});

/** Where to find a secret: never in the configuration itself. */
export type SecretReference = z.infer<typeof byEnvironment> | z.infer<typeof byFile>;

/** Whether a value is a reference to a secret. */
export function isSecretReference(candidate: unknown): candidate is SecretReference {
  return z.union([byEnvironment, byFile]).safeParse(candidate).success;
}

/** A secret, given as the environment variable or file that holds it; literal text is refused. */
export const secret = (description: string) =>
  value(z.union([byEnvironment, byFile]), {
    description: `${description} As { env: NAME } or { file: PATH }, never the secret itself.`,
    write: '{ env: NAME } or { file: PATH } and put the secret there, not here',
    secret: true,
  });

export const STORE_URL = /^(?:sqlite:.+|postgres(?:ql)?:\/\/.+)$/;
export const POSTGRES_URL = /^postgres(?:ql)?:\/\/.+$/;
const withoutPassword = (url: string) =>
  !url.startsWith('postgres') ||
  !URL.canParse(url) ||
  (new URL(url).password === '' && !new URL(url).searchParams.has('password'));

/** A database URL: as text if it holds no password, else by reference. */
const databaseUrl = (pattern: RegExp, notes: { readonly description: string; readonly write: string }) =>
  value(
    z.union([
      z
        .string()
        .regex(pattern)
        .refine(
          withoutPassword,
          'holds a password; write { env: NAME } or { file: PATH } and put the whole URL there',
        ),
      byEnvironment,
      byFile,
    ]),
    { ...notes, secret: true },
  );

/** A store's URL. */
export const storeUrl = databaseUrl(STORE_URL, {
  description:
    'sqlite:FILE, or postgres://user@host:port/database; with a password as { env: NAME } or { file: PATH }.',
  write:
    'sqlite:FILE, postgres://USER@HOST:PORT/DATABASE, or { env: NAME } or { file: PATH } that holds the URL',
});

/** The URL of the store's database on which to listen. */
export const directUrl = databaseUrl(POSTGRES_URL, {
  description:
    'PostgreSQL behind a pooler: the same database without the pooler, to hear of changes at once. Absent: by looking for them each poll_interval. With a password as { env: NAME } or { file: PATH }.',
  write: 'postgres://USER@HOST:PORT/DATABASE, or { env: NAME } or { file: PATH } that holds the URL',
});
