import { parseStrictJson } from 'rostack-core/client';

/** A text of so many bytes is small enough for V8's young generation, also with two bytes for each character. */
const PIECE_BYTES = 32_768;
/** The array of records begins this early, or is not looked for. */
const BEGINNING_BYTES = 8_192;
const BEGINNING = '"items":[';
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/**
 * Parses the JSON of a large collection in pieces: V8 takes the memory of a large text from the system each time, which costs more than to
 * parse it (decision 0111). First the collection without its records, then these, cut where `},{` is. If each piece is the inside of a JSON
 * array, all of them together are that of one. If one is not, since the cut was in a text or deeper, nothing is known of the whole.
 * @param bytes UTF-8; they are as before afterwards
 * @returns undefined if `bytes` must be parsed as a whole
 */
export function parseCollectionInPieces(bytes: Uint8Array): unknown {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const textOf = (start: number, end: number) => decoder.decode(bytes.subarray(start, end));
  const found = new TextDecoder('latin1').decode(bytes.subarray(0, BEGINNING_BYTES)).indexOf(BEGINNING);
  const start = found + BEGINNING.length;
  const end = bytes.lastIndexOf(CLOSING_BRACKET);
  if (found === -1 || end < start) return undefined;
  try {
    const collection: unknown = parseStrictJson(`${textOf(0, start)}null${textOf(end, bytes.byteLength)}`);
    if (!holdsOneNull(collection)) return undefined;
    const items: unknown[] = [];
    for (let from = start; from < end; ) {
      const to = endOfPiece(bytes, from, end);
      items.push(...parseArray(bytes, from, to, decoder));
      from = to + 1;
    }
    collection.items = items;
    return collection;
  } catch {
    return undefined;
  }
}

/** What is between two commas or brackets, which stand in for the array's own: a text with these put around it would be copied. */
function parseArray(bytes: Uint8Array, from: number, to: number, decoder: TextDecoder): unknown[] {
  const [before = 0, behind = 0] = [bytes[from - 1], bytes[to]];
  bytes[from - 1] = OPENING_BRACKET;
  bytes[to] = CLOSING_BRACKET;
  try {
    return parseStrictJson(decoder.decode(bytes.subarray(from - 1, to + 1))) as unknown[];
  } finally {
    bytes[from - 1] = before;
    bytes[to] = behind;
  }
}

function holdsOneNull(collection: unknown): collection is { items: readonly unknown[] } {
  if (typeof collection !== 'object' || collection === null || !('items' in collection)) return false;
  const { items } = collection;
  return Array.isArray(items) && items.length === 1 && items[0] === null;
}

/** The last comma between two objects that is near enough, or else the next one. */
function endOfPiece(bytes: Uint8Array, from: number, end: number): number {
  const furthest = from + PIECE_BYTES;
  if (furthest >= end) return end;
  for (let at = furthest; at > from; at -= 1) if (isBetweenObjects(bytes, at)) return at;
  for (let at = furthest; at < end; at += 1) if (isBetweenObjects(bytes, at)) return at;
  return end;
}

function isBetweenObjects(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === COMMA && bytes[at - 1] === CLOSING_BRACE && bytes[at + 1] === OPENING_BRACE;
}
