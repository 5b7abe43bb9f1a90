const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * Where the last of the JSON objects begins that end at a place. It is found from the end on: before a quotation mark that opens a text
 * there is no backslash, and before one in a text there is an odd number of them.
 * @param bytes UTF-8
 */
export function startOfLastObject(bytes: Uint8Array, end: number): number {
  let depth = 0;
  let isInText = false;
  for (let index = end - 1; index >= 0; index -= 1) {
    const byte = bytes[index];
    if (byte === QUOTE) isInText = !isInText || isEscaped(bytes, index);
    else if (isInText) continue;
    else if (byte === CLOSE) depth += 1;
    else if (byte === OPEN) {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  throw new Error('no JSON object ends there');
}

function isEscaped(bytes: Uint8Array, index: number): boolean {
  let first = index;
  while (bytes[first - 1] === BACKSLASH) first -= 1;
  return (index - first) % 2 === 1;
}
