import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const gzipAsync = promisify(gzip);

/** Each has a quarter of a MiB of its own while it runs: a burst of new pages must not have them all at once. */
const MAX_AT_ONCE = 2;
/** Of UTF-16 text in UTF-8. */
const MAX_BYTES_PER_UNIT = 3;
/** What a page shrinks to, and some more; a larger answer takes several blocks of this size. */
const SHARE_LEFT = 1 / 6;
const MIN_BLOCK_BYTES = 1024;

/** Free places to write text into before it is compressed; each is used again, so pages leave no garbage of their size. */
const places: Buffer[] = Array.from({ length: MAX_AT_ONCE }, () => Buffer.alloc(0));
const waiting: ((place: Buffer) => void)[] = [];

/** The content in gzip, made off the event loop, few at a time. */
export async function compress(content: string | Buffer): Promise<Buffer> {
  let place = places.pop() ?? (await new Promise<Buffer>((resolve) => waiting.push(resolve)));
  try {
    const atMostBytes = content.length * MAX_BYTES_PER_UNIT;
    if (typeof content === 'string' && place.length < atMostBytes)
      place = Buffer.allocUnsafeSlow(atMostBytes);
    const bytes = typeof content === 'string' ? place.subarray(0, place.write(content)) : content;
    const chunkSize = Math.max(MIN_BLOCK_BYTES, Math.ceil(bytes.length * SHARE_LEFT));
    const compressed = await gzipAsync(bytes, { level: 6, chunkSize });
    // What zlib hands out is a part of a block: kept as it is, it would hold all of it.
    const exact = Buffer.allocUnsafeSlow(compressed.length);
    compressed.copy(exact);
    return exact;
  } finally {
    const next = waiting.shift();
    if (next === undefined) places.push(place);
    else next(place);
  }
}
