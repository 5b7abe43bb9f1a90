import type { Fault } from '../model/fault.ts';
import { formatPointer } from '../pointer/pointer.ts';
import { isExactNumber } from './is-exact-number.ts';

/** An object or array that the scan is inside of. */
interface Container {
  /** Undefined for an array. */
  readonly names: Set<string> | undefined;
  /** Of the member, or the number of the element, that is being read. */
  token: string | number;
  awaitsName: boolean;
}

const NUMBER = /-?\d[\d.eE+-]*/y;

/** The first member that stands twice in its object, or the first number that a double does not keep. The text has to be JSON. */
export function findJsonFault(text: string): Fault | undefined {
  const around: Container[] = [];
  for (let at = 0; at < text.length; ) {
    const inside = around.at(-1);
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      if (inside?.names !== undefined && inside.awaitsName) {
        inside.token = JSON.parse(text.slice(at, end)) as string;
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

/** Where the text goes on after the string that begins at `start`. */
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

function repeatedMember(around: readonly Container[]): Fault {
  return { check: 'unique_members', path: pathOf(around), message: 'is given twice; keep one of the two' };
}

function inexactNumber(around: readonly Container[], number: string): Fault {
  const message = Number.isFinite(Number(number))
    ? 'has more digits than a JSON number keeps; round it, or make it a string'
    : 'is beyond the range of a JSON number; make it a string';
  return { check: 'exact_numbers', path: pathOf(around), message };
}

const pathOf = (around: readonly Container[]): string =>
  formatPointer(around.map(({ token }) => String(token)));
