import { z } from 'zod';
import { reading } from './reference-reader.ts';

/**
 * Notes of a value in the configuration's JSON Schema: `write` completes the sentence "write ..." of a message, `secret` keeps the
 * value out of messages. Neither is part of the published schema.
 */
interface ValueNotes {
  readonly description?: string;
  readonly write: string;
  readonly secret?: boolean;
}

/** Adds notes to a model, such as what a message about a mistake tells people to write. */
export function value<Model extends z.ZodType>(model: Model, notes: ValueNotes): Model {
  return model.meta({ ...notes });
}

const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DURATION = /^(\d{1,12})(ms|s|m|h|d)$/;

/** Milliseconds of a text such as `30s`; undefined if it is not a duration. */
export function durationMs(text: string): number | undefined {
  const [, count, unit] = DURATION.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
}

/** A duration with its unit, such as `30s`, between `least` and `most`, with the reason for these limits; parses to milliseconds. */
export function duration(least: string, most: string, description: string, reason?: string) {
  const leastMs = durationMs(least) ?? 0;
  const mostMs = durationMs(most) ?? Number.POSITIVE_INFINITY;
  const model = z
    .string()
    .regex(DURATION)
    .refine((text) => {
      const ms = durationMs(text);
      return ms !== undefined && ms >= leastMs && ms <= mostMs;
    })
    .transform((text) => durationMs(text) ?? 0);
  return value(model, {
    description: `${description} From ${least} to ${most}; units ms, s, m, h, d.`,
    write: `a duration with its unit, from ${least} to ${most}${reason === undefined ? '' : `: ${reason}`}`,
  });
}

const UNITS_BYTES = { B: 1, KiB: 1_024, MiB: 1_048_576, GiB: 1_073_741_824 } as const;
const SIZE = /^(\d{1,12})(B|KiB|MiB|GiB)$/;

function sizeBytes(text: string): number {
  const [, count = '', unit = 'B'] = SIZE.exec(text) ?? [];
  return Number(count) * UNITS_BYTES[unit as keyof typeof UNITS_BYTES];
}

/** A size with its unit, such as `64KiB`; parses to bytes. */
export function size(least: string, description: string) {
  const leastBytes = sizeBytes(least);
  const model = z
    .string()
    .regex(SIZE)
    .refine((text) => sizeBytes(text) >= leastBytes && Number.isSafeInteger(sizeBytes(text)))
    .transform(sizeBytes);
  return value(model, {
    description: `${description} At least ${least}; units B, KiB, MiB, GiB.`,
    write: `a size of at least ${least}, with its unit, such as 64MiB`,
  });
}

/** An integer. */
export function count(least: number, most: number, description: string) {
  return value(z.int().min(least).max(most), {
    description: `${description} ${least} to ${most}.`,
    write: `an integer from ${least} to ${most}`,
  });
}

/** Yes or no. */
export const flag = (description: string) => value(z.boolean(), { description, write: 'true or false' });

/** A text that is not empty. */
export const text = (description: string, write: string) =>
  value(z.string().min(1).max(4_096), { description, write });

/** Path of a file; a relative one is resolved against the folder of the configuration file. */
export const filePath = (description: string) =>
  text(
    `${description} A relative path counts from the folder of this file.`,
    'the path of a file, relative to the folder of the configuration file',
  );

/** A file with a JSON Schema; parses to the schema. */
export const schemaFile = (description: string) =>
  filePath(description).transform(reading((reader, file) => reader.jsonSchema(file)));

const isUrlOf = (protocols: readonly string[]) => (url: string) =>
  URL.canParse(url) && protocols.includes(new URL(url).protocol) && new URL(url).password === '';

/** An absolute URL of one of the schemes, such as `https:`. */
export function url(protocols: readonly string[], description: string, example: string) {
  return value(z.string().refine(isUrlOf(protocols)), {
    description,
    write: `an absolute ${protocols.map((protocol) => protocol.slice(0, -1)).join(' or ')} URL without a password, such as ${example}`,
  });
}

const HOST = /^[A-Za-z0-9._:-]+$/;

/** An address to bind: an IP address or a host name. */
export const host = value(z.string().regex(HOST), {
  description: 'Address to bind: 127.0.0.1 for this machine only, 0.0.0.0 for every IPv4 interface.',
  write: 'an IP address or a host name to bind, such as 127.0.0.1',
});

/** A TCP port. */
export const port = count(0, 65_535, 'TCP port; 0 takes a free one.');
