import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

const PIECE_BYTES = 65_536;

/** What an import reads. */
export interface ImportInput {
  /** Identical for the same unchanged file; undefined if the input cannot be read again, so the import cannot be resumed. */
  readonly identity: string | undefined;
  /** Size of the file on disk, if known. */
  readonly totalBytes: number | undefined;
  /** How many of these bytes have been read so far. */
  readonly readBytes: () => number;
  /** Reads the uncompressed text from an offset on. */
  readonly open: (offset: number) => AsyncIterable<Uint8Array>;
}

/** A file; one whose name ends in `.gz` is unpacked while reading. */
export async function fileInput(path: string): Promise<ImportInput> {
  const absolute = await realpath(path);
  const { size, mtimeMs, ino } = await stat(absolute);
  const isCompressed = absolute.endsWith('.gz');
  let readBytes = 0;

  async function* open(offset: number): AsyncGenerator<Uint8Array> {
    const file = createReadStream(absolute, {
      start: isCompressed ? 0 : offset,
      highWaterMark: PIECE_BYTES,
    });
    readBytes = isCompressed ? 0 : offset;
    file.on('data', (piece) => {
      readBytes += piece.length;
    });
    if (isCompressed) yield* skip(unpack(file), offset);
    else yield* file as AsyncIterable<Uint8Array>;
  }

  return {
    identity: createHash('sha256').update(`${absolute}\0${ino}\0${size}\0${mtimeMs}`).digest('hex'),
    totalBytes: size,
    readBytes: () => readBytes,
    open,
  };
}

/** A stream such as standard input. */
export function streamInput(stream: Readable): ImportInput {
  let readBytes = 0;
  async function* open(): AsyncGenerator<Uint8Array> {
    for await (const piece of stream as AsyncIterable<Uint8Array>) {
      readBytes += piece.length;
      yield piece;
    }
  }
  return { identity: undefined, totalBytes: undefined, readBytes: () => readBytes, open };
}

function unpack(file: Readable): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  file.on('error', (error) => gunzip.destroy(error));
  return file.pipe(gunzip);
}

async function* skip(pieces: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count;
  for await (const piece of pieces) {
    const kept = piece.subarray(Math.min(left, piece.length));
    left -= piece.length - kept.length;
    if (kept.length > 0) yield kept;
  }
}
