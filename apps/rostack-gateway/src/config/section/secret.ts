import { storeUrlFault } from 'rostack-store';
import { z } from 'zod';
import { sqliteFileOf } from '../../text/sqlite-url.ts';
import { type ReferenceReader, reading, type SecretReference, Unreadable } from './reference-reader.ts';
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

/** Whether a value is a reference to a secret. */
export function isSecretReference(candidate: unknown): candidate is SecretReference {
  return z.union([byEnvironment, byFile]).safeParse(candidate).success;
}

/** A secret, given as the environment variable or file that holds it; literal text is refused. Parses to the secret. */
export const secret = (description: string, minLength?: number) =>
  value(z.union([byEnvironment, byFile]), {
    description: `${description} As { env: NAME } or { file: PATH }, never the secret itself.`,
    write: '{ env: NAME } or { file: PATH } and put the secret there, not here',
    secret: true,
  }).transform(reading((reader, reference) => reader.text(reference, minLength)));

const STORE_URL = /^(?:sqlite:.+|postgres(?:ql)?:\/\/.+)$/;
const POSTGRES_URL = /^postgres(?:ql)?:\/\/.+$/;
const withoutPassword = (url: string) =>
  !url.startsWith('postgres') ||
  !URL.canParse(url) ||
  (new URL(url).password === '' && !new URL(url).searchParams.has('password'));

interface DatabaseUrlNotes {
  readonly description: string;
  readonly write: string;
  /** The message for a text behind a reference that does not match the pattern. */
  readonly fault: string;
}

/** A database URL: as text if it holds no password, else by reference. Parses to the URL that the store can read. */
function databaseUrl(pattern: RegExp, { fault, ...notes }: DatabaseUrlNotes) {
  const written = z
    .string()
    .regex(pattern)
    .refine(
      withoutPassword,
      'holds a password; write { env: NAME } or { file: PATH } and put the whole URL there',
    );
  return value(z.union([written, byEnvironment, byFile]), { ...notes, secret: true }).transform(
    reading(async (reader, url) => {
      const text = typeof url === 'string' ? url : await reader.text(url);
      if (text instanceof Unreadable) return text;
      // Quotes none of the text, which may contain a password.
      const wrong = pattern.test(text) ? storeUrlFault(text) : fault;
      return wrong === undefined ? withAbsoluteFile(text, reader) : new Unreadable(wrong);
    }),
  );
}

function withAbsoluteFile(url: string, reader: ReferenceReader): string {
  const file = sqliteFileOf(url);
  return file === undefined ? url : `sqlite:${reader.path(file)}`;
}

/** A store's URL. */
export const storeUrl = databaseUrl(STORE_URL, {
  fault: 'what it refers to is not a store URL; put sqlite:FILE or postgres://... there',
  description:
    'sqlite:FILE, or postgres://user@host:port/database; with a password as { env: NAME } or { file: PATH }.',
  write:
    'sqlite:FILE, postgres://USER@HOST:PORT/DATABASE, or { env: NAME } or { file: PATH } that holds the URL',
});

/** The URL of the store's database on which to listen. */
export const directUrl = databaseUrl(POSTGRES_URL, {
  fault: 'what it refers to is not a PostgreSQL URL; put postgres://... there',
  description:
    'PostgreSQL behind a pooler: the same database without the pooler, to hear of changes at once. Absent: by looking for them each poll_interval. With a password as { env: NAME } or { file: PATH }.',
  write: 'postgres://USER@HOST:PORT/DATABASE, or { env: NAME } or { file: PATH } that holds the URL',
});
