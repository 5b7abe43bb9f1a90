import type { JsonObject } from 'rostack-core';
import { parseStrictJson } from 'rostack-core';
import { KitError } from '../base/kit-error.ts';
import { DRIVER_OPERATIONS, type DriverOperation } from '../check/driver.ts';

/**
 * The first line of a driver: what it can do.
 *
 *     {"ready":true,"operations":["put","delete"],"samples":{"stations":[{"id":"a","height":3}]}}
 */
export interface ReadyLine {
  readonly operations: ReadonlySet<DriverOperation>;
  readonly samples: Readonly<Record<string, readonly JsonObject[]>>;
}

/**
 * An answer of a driver; `error` says why it could not.
 *
 *     {"request":7,"ok":true,"token":"..."}
 *     {"request":8,"ok":false,"error":"the table is read-only"}
 */
export interface AnswerLine {
  /** The number of the request that it answers. */
  readonly request: number;
  readonly error: string | undefined;
  /** The token that `issue` has made. */
  readonly token: string | undefined;
}

/** Reads the first line of a driver. @throws KitError `driver_failed` */
export function parseReadyLine(line: string): ReadyLine {
  const { ready, operations, samples = {} } = membersOf(line);
  if (ready !== true || !Array.isArray(operations)) {
    throw failed(line, 'the first line has to be {"ready":true,"operations":[...]}');
  }
  const unknown = operations.filter((operation) => !isOperation(operation));
  if (unknown.length > 0) throw failed(line, `unknown operations: ${unknown.map(String).join(', ')}`);
  if (!isSamples(samples)) throw failed(line, 'samples have to be lists of records by resource');
  return { operations: new Set(operations.filter(isOperation)), samples };
}

/** Reads an answer of a driver. @throws KitError `driver_failed` */
export function parseAnswerLine(line: string): AnswerLine {
  const { request, ok, error, token } = membersOf(line);
  if (typeof request !== 'number' || typeof ok !== 'boolean') {
    throw failed(line, 'an answer has the number of its "request", and "ok"');
  }
  const said = typeof error === 'string' ? error : 'it does not say why';
  return { request, error: ok ? undefined : said, token: typeof token === 'string' ? token : undefined };
}

function membersOf(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = parseStrictJson(line);
    if (isObject(value)) return value;
  } catch {
    // Reported below, as for any other line that is not an object.
  }
  throw failed(line, 'each line is a JSON object');
}

const failed = (line: string, wanted: string) =>
  new KitError('driver_failed', `the driver wrote ${JSON.stringify(line.slice(0, 200))}: ${wanted}`);

const isOperation = (value: unknown): value is DriverOperation =>
  DRIVER_OPERATIONS.some((operation) => operation === value);

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSamples = (value: unknown): value is Readonly<Record<string, readonly JsonObject[]>> =>
  isObject(value) && Object.values(value).every((list) => Array.isArray(list) && list.every(isObject));
