import { existsSync, readFileSync } from 'node:fs';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Without the last bit, which is the byte order of the checksums. */
const MAGIC = 0x377f0682;

/** What the write-ahead log of a SQLite database contains. */
interface Scan {
  /** Frames that SQLite applies when it opens the file. */
  readonly goodFrames: number;
  readonly wholeFrames: number;
  /** Bytes after the last whole frame. */
  readonly restBytes: number;
  /** Whether a commit of the same generation comes after the first bad frame. */
  readonly isCommitBeyond: boolean;
}

/**
 * Checks the write-ahead log of a SQLite file before the file is opened: returns what is wrong with it if changes may be lost because of
 * that. Also undefined after an ordinary crash, which only loses uncommitted changes.
 * @see https://www.sqlite.org/fileformat2.html section 4.1
 */
export function faultOfWal(file: string): string | undefined {
  const fault = lookAtWal(file);
  // Checks twice, because another process may be writing to it at this moment.
  return fault !== undefined && lookAtWal(file) === fault ? fault : undefined;
}

function lookAtWal(file: string): string | undefined {
  const wal = `${file}-wal`;
  if (!existsSync(file)) return undefined;
  if (!existsSync(wal)) {
    return existsSync(`${file}-shm`)
      ? `${wal} is missing, but ${file}-shm exists: the log was deleted after a crash, with all changes in it`
      : undefined;
  }
  const bytes = readFileSync(wal);
  if (bytes.length === 0) return undefined;
  const scan = scanWal(bytes);
  if (scan === undefined) return `${wal} is not a log of SQLite: the changes in it are lost`;
  if (scan.isCommitBeyond) {
    return `${wal} is damaged in frame ${scan.goodFrames + 1} of ${scan.wholeFrames}: committed changes from there on are lost`;
  }
  if (scan.restBytes > 0 && scan.goodFrames === scan.wholeFrames) {
    return `${wal} ends within a frame: the process died while it wrote, or the log was cut off, with the changes that came after`;
  }
  return undefined;
}

function scanWal(bytes: Buffer): Scan | undefined {
  if (bytes.length < HEADER_BYTES || (bytes.readUInt32BE(0) & ~1) >>> 0 !== MAGIC) return undefined;
  const isBigEndian = (bytes.readUInt32BE(0) & 1) === 1;
  const pageBytes = bytes.readUInt32BE(8);
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  const wholeFrames = Math.floor((bytes.length - HEADER_BYTES) / frameBytes);
  const sum = new WalSum(isBigEndian);
  sum.add(bytes, 0, 24);
  if (!sum.isAt(bytes, 24)) return undefined;
  let goodFrames = 0;
  let isCommitBeyond = false;
  for (let frame = 0; frame < wholeFrames; frame += 1) {
    const start = HEADER_BYTES + frame * frameBytes;
    const isOfGeneration = bytes.compare(bytes, 16, 24, start + 8, start + 16) === 0;
    if (goodFrames === frame && isOfGeneration) {
      sum.add(bytes, start, start + 8);
      sum.add(bytes, start + FRAME_HEADER_BYTES, start + frameBytes);
      if (sum.isAt(bytes, start + 16)) {
        goodFrames += 1;
        continue;
      }
    }
    isCommitBeyond ||= isOfGeneration && bytes.readUInt32BE(start + 4) !== 0;
  }
  const restBytes = (bytes.length - HEADER_BYTES) % frameBytes;
  return { goodFrames, wholeFrames, restBytes, isCommitBeyond };
}

/** The running checksum over a log: two 32-bit numbers. */
class WalSum {
  readonly #isBigEndian: boolean;
  #first = 0;
  #second = 0;

  constructor(isBigEndian: boolean) {
    this.#isBigEndian = isBigEndian;
  }

  add(bytes: Buffer, from: number, to: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isLittle = !this.#isBigEndian;
    for (let at = from; at < to; at += 8) {
      this.#first = (this.#first + view.getUint32(at, isLittle) + this.#second) >>> 0;
      this.#second = (this.#second + view.getUint32(at + 4, isLittle) + this.#first) >>> 0;
    }
  }

  isAt(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.#first && bytes.readUInt32BE(at + 4) === this.#second;
  }
}
