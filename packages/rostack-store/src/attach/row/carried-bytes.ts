/** Most bytes of a table read at once, unless it is a single row. */
export const CHUNK_BYTES = 4 * 1_048_576;

/** JavaScript and the driver keep several copies of what they read, and JavaScript allows no text of 512 MiB or more. */
const MAX_CARRIED_BYTES = 64 * 1_048_576;

/** The most bytes that a record of a row may have for the row to be read; a larger row is put into quarantine by its id and size. */
export function carriedBytes(maxRecordBytes: number): number {
  return Math.min(maxRecordBytes, MAX_CARRIED_BYTES);
}

/** Why a row was not read. @param bytes that its record would have at least */
export function tooLarge(bytes: number, maxRecordBytes: number): string {
  return `the row has at least ${bytes} bytes, which no record of at most ${carriedBytes(maxRecordBytes)} bytes can hold: make it smaller, or raise the limit of records`;
}

/** How many of the first rows may be read at once, at least one. @param bytes of each */
export function countWithin(bytes: readonly number[]): number {
  let total = 0;
  const end = bytes.findIndex((each, index) => {
    total += each;
    return index > 0 && total > CHUNK_BYTES;
  });
  return end === -1 ? bytes.length : end;
}
