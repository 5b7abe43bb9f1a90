import type { Fault } from '../../wire/model/fault.ts';

/** What is wrong with a text. */
export interface JsonFault extends Fault {
  readonly check: 'json' | 'unique_members' | 'exact_numbers';
}

import { formatPointer } from '../../query/pointer/format-pointer.ts';
import { parseTrustedJson } from '../json.ts';

/** An object or array that the scan is in. */
interface Container {
  /** Undefined for an array. */
  readonly names: Set<string> | undefined;
  /** Name of the member, or index of the element, that is being read. */
  token: string | number;
  awaitsName: boolean;
}

const NUMBER = /-?\d[\d.eE+-]*/y;

/** The first repeated member of an object, or the first number that a double cannot hold. The text must be JSON. */
export function findJsonFault(text: string): JsonFault | undefined {
  const around: Container[] = [];
  for (let at = 0; at < text.length; ) {
    const inside = around.at(-1);
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      if (inside?.names !== undefined && inside.awaitsName) {
        inside.token = parseTrustedJson(text.slice(at, end)) as string;
        inside.awaitsName = false;
        if (inside.names.has(inside.token)) return repeatedMember(around);
        inside.names.add(inside.token);
      }
      at = end;
    } else if (character === '-' || isDigit(character)) {
      NUMBER.lastIndex = at;
      const [number = ''] = NUMBER.exec(text) ?? [];
      if (!isExactNumber(number)) return inexactNumber(around, number);
      at += number.length;
    } else {
      if (character === '{') around.push({ names: new Set(), token: '', awaitsName: true });
      else if (character === '[') around.push({ names: undefined, token: 0, awaitsName: false });
      else if (character === '}' || character === ']') around.pop();
      else if (character === ',' && inside !== undefined) moveOn(inside);
      at += 1;
    }
  }
  return undefined;
}

function moveOn(container: Container): void {
  if (typeof container.token === 'number') container.token += 1;
  else container.awaitsName = true;
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

/** The index after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

function repeatedMember(around: readonly Container[]): JsonFault {
  return { check: 'unique_members', path: pathOf(around), message: 'is repeated; keep one of the two' };
}

function inexactNumber(around: readonly Container[], number: string): JsonFault {
  const message = Number.isFinite(Number(number))
    ? 'has more digits than a JSON number keeps; round it, or make it a string'
    : 'is beyond the range of a JSON number; make it a string';
  return { check: 'exact_numbers', path: pathOf(around), message };
}

const pathOf = (around: readonly Container[]): string =>
  formatPointer(around.map(({ token }) => String(token)));

const CHAR_0 = 48;
/** A double keeps a decimal of this many digits, if its exponent has at most two. */
const SAFE_LENGTH = 15;
const PLAIN = /^[-\d.]+$/;

/**
 * Whether a double keeps a JSON number: printed again it is the same number, perhaps in another notation.
 * `1.0`, `1e2` and `0.1` are exact; `9007199254740993`, `0.10000000000000000555` and `1e400` are not.
 */
export function isExactNumber(text: string): boolean {
  if (text.length <= SAFE_LENGTH && PLAIN.test(text)) return true;
  const value = Number(text);
  return Number.isFinite(value) && significantOf(text) === significantOf(String(value));
}

/** Significant digits and exponent, which are equal for texts of the same magnitude. A double always keeps the sign. */
function significantOf(text: string): string {
  const [mantissa = '', exponent = '0'] = (text.startsWith('-') ? text.slice(1) : text).split(/e/i);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  let start = 0;
  while (digits.charCodeAt(start) === CHAR_0) start += 1;
  let end = digits.length;
  while (end > start && digits.charCodeAt(end - 1) === CHAR_0) end -= 1;
  if (start === end) return '0';
  return `${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
