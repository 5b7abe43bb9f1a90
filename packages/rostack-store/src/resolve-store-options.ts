import { randomBytes } from 'node:crypto';
import { StoreOptionsError } from './errors/index.ts';
import { newTag } from './log/version.ts';
import type { ResolvedStoreOptions, StoreAlarm, StoreOptions } from './store-options.ts';

const DAY_MS = 86_400_000;
const MIB = 1_048_576;
// PostgreSQL cuts longer names off; pg_ names are its own.
const SCHEMA_NAME = /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/;
export const POSTGRES_URL = /^postgres(?:ql)?:\/\//;

/**
 * Fills in the defaults.
 * @throws StoreOptionsError `store_options_invalid` naming the option that cannot be used
 */
export function resolveStoreOptions(options: StoreOptions): ResolvedStoreOptions {
  const { retention = {}, synchronous = 'full', schema = 'rostack' } = options;
  if (synchronous !== 'full' && synchronous !== 'normal') {
    throw new StoreOptionsError(`synchronous is ${JSON.stringify(synchronous)}: use 'full' or 'normal'`);
  }
  if (!SCHEMA_NAME.test(schema)) {
    throw new StoreOptionsError(`schema is ${JSON.stringify(schema)}: use lower-case letters, digits and _`);
  }
  const randomId = checkedRandomId(options.randomId ?? (() => randomBytes(12).toString('base64url')));
  const { directUrl } = options;
  if (directUrl !== undefined && !POSTGRES_URL.test(directUrl)) {
    throw new StoreOptionsError(
      'directUrl is no PostgreSQL URL: use postgres://user:password@host:port/database',
    );
  }
  return {
    retention: {
      maxAgeMs: atLeast(0, 'retention.maxAgeMs', retention.maxAgeMs, 7 * DAY_MS),
      maxChanges: atLeast(0, 'retention.maxChanges', retention.maxChanges, 1_000_000),
      maxBytes: atLeast(0, 'retention.maxBytes', retention.maxBytes, 1_024 * MIB),
      intervalMs: atLeast(0, 'retention.intervalMs', retention.intervalMs, 60_000),
    },
    synchronous,
    schema,
    directUrl,
    maxConnections: atLeast(2, 'maxConnections', options.maxConnections, 10),
    readTimeoutMs: atLeast(1, 'readTimeoutMs', options.readTimeoutMs, 2_000),
    writeTimeoutMs: atLeast(1, 'writeTimeoutMs', options.writeTimeoutMs, 10_000),
    pollIntervalMs: atLeast(10, 'pollIntervalMs', options.pollIntervalMs, 500),
    hints: options.hints,
    pageMemoryBytes: atLeast(0, 'pageMemoryBytes', options.pageMemoryBytes, 32 * MIB),
    maxRecordBytes: atLeast(1, 'maxRecordBytes', options.maxRecordBytes, MIB),
    nowMs: options.nowMs ?? Date.now,
    randomId,
    newTag: () => newTag(randomId),
    onAlarm: options.onAlarm ?? warn,
  };
}

function atLeast(least: number, name: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (Number.isFinite(value) && value >= least) return value;
  throw new StoreOptionsError(`${name} is ${value}: use a number of at least ${least}`);
}

/** Ids of epochs stand in cursors and versions, whose parts are told apart by other characters. */
function checkedRandomId(randomId: () => string): () => string {
  return () => {
    const id = randomId();
    if (/^[A-Za-z0-9_-]{8,64}$/.test(id)) return id;
    throw new StoreOptionsError(`randomId gave ${JSON.stringify(id)}: use 8 to 64 letters, digits, - and _`);
  };
}

function warn({ code, message }: StoreAlarm): void {
  process.emitWarning(message, { code: `ROSTACK_STORE_${code.toUpperCase()}` });
}
