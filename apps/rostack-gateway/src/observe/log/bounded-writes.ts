import type { Writable } from 'node:stream';

/** What may wait in a stream that is read slowly, or by nobody. */
export const MAX_UNREAD_BYTES = 4_194_304;

/**
 * A function that writes lines to a stream. While more than 4 MiB wait there, lines are dropped and counted; the first line that fits again
 * comes after one that says how many.
 * @param sayDropped the line for a number of dropped ones
 */
export function boundedWrites(
  stream: Writable,
  sayDropped: (lines: number) => string,
): (line: string) => void {
  let dropped = 0;
  return (line) => {
    if (stream.writableLength > MAX_UNREAD_BYTES) {
      dropped += 1;
      return;
    }
    if (dropped > 0) stream.write(sayDropped(dropped));
    dropped = 0;
    stream.write(line);
  };
}
