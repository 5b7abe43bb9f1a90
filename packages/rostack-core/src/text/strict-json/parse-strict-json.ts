import { FaultsError } from '../../wire/model/fault.ts';
import { parseTrustedJson } from '../json.ts';
import { findJsonFault, type JsonFault } from './find-json-fault.ts';

/**
 * A text is not JSON (check `json`), an object in it repeats a member (`unique_members`), or a number in it has more
 * digits than a double keeps (`exact_numbers`). For `json`, `cause` is the engine's SyntaxError, which may quote the text.
 */
export class StrictJsonError extends FaultsError {
  override readonly name = 'StrictJsonError';
  readonly code = 'invalid_json';
  /** The first fault of the text, and where it is. */
  readonly fault: JsonFault;

  constructor(fault: JsonFault, options?: ErrorOptions) {
    super('not strict JSON', [fault], options);
    this.fault = fault;
  }
}

/**
 * `JSON.parse` that rejects what it would silently change: an object with a repeated member, and a number that a double
 * does not keep (see `isExactNumber`). A member `__proto__` is an own member like any other. Takes linear time.
 * @throws StrictJsonError `invalid_json`, with the JSON Pointer of the first fault
 * @see protocol section 10
 */
export function parseStrictJson(text: string): unknown {
  let value: unknown;
  try {
    value = parseTrustedJson(text);
  } catch (cause) {
    throw new StrictJsonError({ check: 'json', path: '', message: 'is not JSON' }, { cause });
  }
  if (needsScan(text, value)) {
    const fault = findJsonFault(text);
    if (fault !== undefined) throw new StrictJsonError(fault);
  }
  return value;
}

/**
 * Misses no fault, in a fraction of the time of the scan, which clears false alarms. A text with an escape is always
 * scanned: V8 (Node 24) may confuse a name that has one with a name it has seen before, so counting members fails.
 */
function needsScan(text: string, value: unknown): boolean {
  if (hasLongNumber(text) || text.includes('\\')) return true;
  const survey = surveyOf(value);
  if (survey.names !== countNames(text) || survey.hasExtreme) return true;
  return survey.hasZero && (text.includes('e-') || text.includes('E-'));
}

const CHAR_DOT = 46;
const CHAR_0 = 48;
const CHAR_9 = 57;
const CHAR_QUOTE = 34;
const CHAR_SPACE = 32;

/** Digits that every double keeps. */
const SAFE_LENGTH = 15;
/** Only numbers above this, or below its reciprocal, can have an exponent of three digits. */
const ORDINARY = 1e80;

/** Whether the text has a run of 16 or more digits and dots. */
function hasLongNumber(text: string): boolean {
  // Such a run covers one of these indexes.
  for (let at = SAFE_LENGTH; at < text.length; at += SAFE_LENGTH + 1) {
    if (!isNumeric(text.charCodeAt(at))) continue;
    let start = at;
    let end = at + 1;
    while (isNumeric(text.charCodeAt(start - 1))) start -= 1;
    while (isNumeric(text.charCodeAt(end))) end += 1;
    if (end - start > SAFE_LENGTH) return true;
  }
  return false;
}

function isNumeric(code: number): boolean {
  return (code >= CHAR_0 && code <= CHAR_9) || code === CHAR_DOT;
}

/** Colons after a quote: at least as many as there are names in the text. */
function countNames(text: string): number {
  let names = 0;
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1;
    while (text.charCodeAt(before) <= CHAR_SPACE) before -= 1;
    if (text.charCodeAt(before) === CHAR_QUOTE) names += 1;
  }
  return names;
}

interface Survey {
  /** Members of all objects: fewer than the names in the text if one is repeated. */
  names: number;
  hasZero: boolean;
  hasExtreme: boolean;
}

function surveyOf(value: unknown): Survey {
  const survey: Survey = { names: 0, hasZero: false, hasExtreme: false };
  const inside: object[] = [];
  const look = (part: unknown): void => {
    if (typeof part === 'object') {
      if (part !== null) inside.push(part);
    } else if (typeof part === 'number') {
      const size = Math.abs(part);
      if (size === 0) survey.hasZero = true;
      else if (size > ORDINARY || size < 1 / ORDINARY) survey.hasExtreme = true;
    }
  };
  look(value);
  for (let container = inside.pop(); container !== undefined; container = inside.pop()) {
    if (Array.isArray(container)) {
      for (const element of container as unknown[]) look(element);
    } else {
      for (const name in container) {
        survey.names += 1;
        look((container as Readonly<Record<string, unknown>>)[name]);
      }
    }
  }
  return survey;
}
