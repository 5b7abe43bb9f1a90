import { randomBytes } from 'node:crypto';
import {
  aFunction,
  checksOf,
  expecting,
  guardObserver,
  listOf,
  type OptionCheck,
  objectWith,
  oneOf,
  optional,
  optionsOf,
  withDefaults,
} from 'rostack-core';
import { type StoreAlarm, StoreOptionsError } from '../errors/index.ts';
import { newTag } from '../log/read-head.ts';
import { compositeIndex, resourceDefinition } from '../schema/resource/resource-definition.ts';
import { checkOption, membersOf } from './options/check-option.ts';
import { guardClock, guardRandomId } from './options/guard-sources.ts';
import { isSqliteUrl } from './options/sqlite-url.ts';
import { storeUrlFault } from './options/store-url-fault.ts';
import {
  RETENTION,
  type ResolvedStoreOptions,
  type RetentionOptions,
  STORE_NUMBERS,
  type StoreOptions,
} from './store-options.ts';

// PostgreSQL truncates longer names; names with pg_ are reserved.
const SCHEMA_NAME = /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/;

/** Checks every member that is used, because without TypeScript it is easy to pass a discovery document instead. */
const anImplementation = expecting(
  'what defineImplementation of rostack-core returns',
  (value) =>
    isObject(value) && isObject(value['resources']) && Object.values(value['resources']).every(isStorable),
);

const isStorable = (resource: unknown): boolean =>
  isObject(resource) &&
  resource['events'] instanceof Map &&
  isObject(resource['filtering']) &&
  Array.isArray(resource['visibleFields']);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const storeOptions: OptionCheck = optionsOf<StoreOptions>({
  ...checksOf(STORE_NUMBERS),
  url: (value) => storeUrlFault(value),
  role: optional(oneOf('primary', 'replica')),
  implementation: optional(anImplementation),
  resources: optional(listOf(resourceDefinition)),
  retention: optional(optionsOf<RetentionOptions>(checksOf(RETENTION))),
  synchronous: optional(oneOf('full', 'normal')),
  schema: optional(
    expecting(
      'lower-case letters, digits and _',
      (value) => typeof value === 'string' && SCHEMA_NAME.test(value),
    ),
  ),
  // Not shown: it may contain a password.
  directUrl: (value, name) =>
    value === undefined ||
    (typeof value === 'string' && !isSqliteUrl(value) && storeUrlFault(value) === undefined)
      ? undefined
      : `${name} is not a PostgreSQL URL: use postgres://user:password@host:port/database`,
  compositeIndexes: optional(membersOf(listOf(compositeIndex))),
  hints: optional(objectWith('publish', 'subscribe')),
  nowMs: optional(aFunction),
  randomId: optional(aFunction),
  onAlarm: optional(aFunction),
});

/**
 * Checks the options and fills in the defaults.
 * @throws StoreOptionsError `store_options_invalid` naming the option that cannot be used
 */
export function resolveStoreOptions(options: StoreOptions): ResolvedStoreOptions {
  checkOption(storeOptions, options);
  if ((options.implementation === undefined) === (options.resources === undefined)) {
    throw new StoreOptionsError('pass either an implementation or resources');
  }
  const { role = 'primary' } = options;
  const retention = withDefaults(RETENTION, options.retention);
  if (role === 'replica' && isSqliteUrl(options.url)) {
    throw new StoreOptionsError('a replica is a standby of PostgreSQL: leave the role out with SQLite');
  }
  const randomId = guardRandomId(options.randomId ?? (() => randomBytes(12).toString('base64url')));
  return {
    role,
    ...withDefaults(STORE_NUMBERS, options),
    retention: role === 'replica' ? { ...retention, intervalMs: 0 } : retention,
    synchronous: options.synchronous ?? 'full',
    schema: options.schema ?? 'rostack',
    directUrl: options.directUrl,
    hints: options.hints,
    nowMs: guardClock(options.nowMs ?? Date.now),
    randomId,
    newTag: () => newTag(randomId),
    onAlarm: options.onAlarm === undefined ? warn : guardObserver(options.onAlarm, warnOfObserver),
  };
}

function warn({ code, message }: StoreAlarm): void {
  process.emitWarning(message, { code: `ROSTACK_STORE_${code.toUpperCase()}` });
}

function warnOfObserver(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  process.emitWarning(`onAlarm failed: ${reason}`, { code: 'ROSTACK_STORE_ON_ALARM_FAILED' });
}
