/** What is read of a table at once has at most this many bytes, or one row. */
export const CHUNK_BYTES = 4 * 1_048_576;

/** JavaScript and the driver hold what they read several times, and no text of 512 MiB or more. */
const MAX_CARRIED_BYTES = 64 * 1_048_576;

/** The most bytes that a record of a row may have, so that the row is read; a larger row is put into quarantine by its id and size. */
export function carriedBytes(maxRecordBytes: number): number {
  return Math.min(maxRecordBytes, MAX_CARRIED_BYTES);
}

/** Why a row was not read. @param bytes that its record has at least */
export function tooLarge(bytes: number, maxRecordBytes: number): string {
  return `the row has at least ${bytes} bytes, which no record of at most ${carriedBytes(maxRecordBytes)} bytes can hold: make it smaller, or raise the limit of records`;
}

/** How many of the first rows may be read at once: one at least. @param bytes of each */
export function countWithin(bytes: readonly number[]): number {
  let total = 0;
  const end = bytes.findIndex((each, index) => {
    total += each;
    return index > 0 && total > CHUNK_BYTES;
  });
  return end === -1 ? bytes.length : end;
}
