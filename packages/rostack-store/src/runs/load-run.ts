import { Buffer } from 'node:buffer';
import { run, type Work } from '../database/database.ts';
import type { StoredField } from '../resource/field.ts';
import { cutAfter, type IndexCut, type IndexPart } from './index-cut.ts';
import { IndexRun, type PackedRows } from './index-run.ts';
import { DIGIT, type RunStatements } from './run-statements.ts';

interface PackedRow {
  readonly bodies: Uint8Array | null;
  readonly entries: Uint8Array | null;
  readonly sizes: string | null;
}

const NO_BYTES = new Uint8Array(0);
const CHARACTERS_PER_ENTRY = 6;

/** Reads the first entries of an index between two cuts; the run ends where these do. @param field undefined: the index of the ids */
export function* loadRun(
  statements: RunStatements,
  field: StoredField | undefined,
  { from, to, limit }: IndexPart,
): Work<IndexRun> {
  const [row] = yield* run<PackedRow>(statements.query(field, from, to, limit));
  const rows = unpacked(row);
  return IndexRun.of(from, rows.bodySizes.length < limit ? to : endOf(rows), rows);
}

function endOf({ entries, keySizes, idSizes }: PackedRows): IndexCut {
  const idStart = entries.length - (idSizes.at(-1) ?? 0);
  const keyStart = idStart - (keySizes.at(-1) ?? 0);
  return cutAfter(entries.subarray(keyStart, idStart), entries.subarray(idStart));
}

function unpacked(row: PackedRow | undefined): PackedRows {
  const sizes = row?.sizes ?? '';
  const rows = { bodySizes: [] as number[], keySizes: [] as number[], idSizes: [] as number[] };
  for (let at = 0; at < sizes.length; at += CHARACTERS_PER_ENTRY) {
    rows.bodySizes.push(sizeAt(sizes, at));
    rows.keySizes.push(sizeAt(sizes, at + 2));
    rows.idSizes.push(sizeAt(sizes, at + 4));
  }
  return { ...rows, bodies: bufferOf(row?.bodies), entries: bufferOf(row?.entries) };
}

function sizeAt(sizes: string, at: number): number {
  return (sizes.charCodeAt(at) - 1) * DIGIT + sizes.charCodeAt(at + 1) - 1;
}

function bufferOf(bytes: Uint8Array | null | undefined): Buffer {
  const { buffer, byteOffset, byteLength } = bytes ?? NO_BYTES;
  return Buffer.from(buffer, byteOffset, byteLength);
}
