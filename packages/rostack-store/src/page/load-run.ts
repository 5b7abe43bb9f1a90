import { Buffer } from 'node:buffer';
import { run, type Work } from '../database/database.ts';
import type { StoredField } from '../resource/field.ts';
import { cutAfter, type IndexCut, type IndexPart } from './index-cut.ts';
import { IndexRun, type PackedRows } from './index-run.ts';
import type { RunStatements } from './run-statements.ts';

/** Numbers are joined by commas. */
interface PackedRow {
  readonly bodies: Uint8Array | null;
  readonly body_sizes: string | null;
  readonly entries: string | null;
  readonly key_sizes: string | null;
  readonly id_sizes: string | null;
}

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
  const bodies = row?.bodies ?? new Uint8Array(0);
  return {
    bodies: Buffer.from(bodies.buffer, bodies.byteOffset, bodies.byteLength),
    bodySizes: numbersOf(row?.body_sizes),
    entries: Buffer.from(row?.entries ?? '', 'hex'),
    keySizes: numbersOf(row?.key_sizes),
    idSizes: numbersOf(row?.id_sizes),
  };
}

function numbersOf(text: string | null | undefined): readonly number[] {
  return JSON.parse(`[${text ?? ''}]`) as readonly number[];
}
