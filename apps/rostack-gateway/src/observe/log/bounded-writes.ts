import type { Writable } from 'node:stream';

/** Most bytes that may wait in a stream that is read slowly, or not at all. */
export const MAX_UNREAD_BYTES = 4_194_304;

/**
 * Returns a function that writes lines to a stream. While more than 4 MiB are waiting, lines are dropped and counted; the next line that
 * fits is preceded by one with their number.
 * @param sayDropped makes the line for a number of dropped lines
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
