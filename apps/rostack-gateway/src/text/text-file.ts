import { isUtf8 } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';
import { defineError } from 'rostack-core';
import { isUtf16, UTF_16 } from './utf-16.ts';

/** Configurations, schemas, certificates and secrets are far smaller. */
const MAX_FILE_BYTES = 16_777_216;

/** A file's content is not readable text; the message says so without quoting it. */
export class TextFileError extends defineError('TextFileError', 'file_not_text', false) {}

/**
 * Reads a file written by people.
 * @throws TextFileError `file_not_text` if it is larger than 16 MiB or not UTF-8, and errors of the file system
 */
export async function readTextFile(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const bytes = await readBounded(file);
    if (isUtf16(bytes)) throw new TextFileError(UTF_16);
    if (!isUtf8(bytes)) throw new TextFileError('it is not text in UTF-8');
    return bytes.toString('utf8');
  } finally {
    await file.close();
  }
}

async function readBounded(file: FileHandle): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of file.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > MAX_FILE_BYTES) throw new TextFileError(`it is larger than ${MAX_FILE_BYTES} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Sentences for codes of the system; other codes are shown as they are. */
const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder',
};

/** Why a file cannot be read, as a sentence; undefined for an error that is not of the file system. */
export function sentenceOfFile(error: unknown): string | undefined {
  if (error instanceof TextFileError) return error.message;
  return error instanceof Error && 'code' in error ? SENTENCES[String(error.code)] : undefined;
}

/** Why a file cannot be read: the code of the system, or a sentence of ours. */
export function reasonOfFile(error: unknown): string {
  if (error instanceof TextFileError) return error.message;
  return error instanceof Error && 'code' in error ? String(error.code) : 'it cannot be opened';
}
