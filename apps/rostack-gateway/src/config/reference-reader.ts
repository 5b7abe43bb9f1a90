import { resolve } from 'node:path';
import { hasCode, type JsonSchema, parseStrictJson, type StrictJsonError } from 'rostack-core';
import { type CertificateFilePaths, readCertificatePair } from '../serving/certificates/certificate-files.ts';
import { errorMessage } from '../text/error-message.ts';
import { readTextFile, reasonOfFile } from '../text/text-file.ts';
import { type ConfigMistake, formatPath } from './config-error.ts';
import type { PathSegment } from './config-schema.ts';
import type { SecretReference } from './model/secret.ts';

export interface ReferenceReaderOptions {
  /** An absolute path; relative paths are resolved against it. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** When certificates have to be valid, in milliseconds since 1970; undefined if they need not be. */
  readonly certificatesAtMs?: number | undefined;
}

const MAX_SCHEMA_LEVELS = 256;

/** Reads what a configuration refers to, and collects what is wrong with it. */
export class ReferenceReader {
  readonly mistakes: ConfigMistake[] = [];
  readonly #options: ReferenceReaderOptions;

  constructor(options: ReferenceReaderOptions) {
    this.#options = options;
  }

  path(file: string): string {
    return resolve(this.#options.folder, file);
  }

  /** Reads the text behind a reference, such as a secret, without the line break at its end; empty after a mistake. */
  async text(reference: SecretReference, path: readonly PathSegment[], minLength = 1): Promise<string> {
    const found =
      'env' in reference ? this.#variable(reference.env, path) : await this.#file(reference.file, path);
    const text = found?.replace(/\r?\n$/, '') ?? '';
    if (found !== undefined && text.length < minLength) {
      const source = 'env' in reference ? `the environment variable ${reference.env}` : reference.file;
      this.#fail(path, `${source} has ${text.length} characters; put at least ${minLength} there`);
    }
    return text;
  }

  /** Checks that a certificate and its key can be used; both paths absolute. */
  async certificate(files: CertificateFilePaths, path: readonly PathSegment[]): Promise<void> {
    try {
      await readCertificatePair(files, this.#options.certificatesAtMs);
    } catch (error) {
      this.#fail(path, `${errorMessage(error)}; write the PEM files of a certificate and of its private key`);
    }
  }

  async jsonSchema(file: string, path: readonly PathSegment[]): Promise<JsonSchema> {
    const text = await this.#file(file, path);
    if (text === undefined) return {};
    try {
      const schema = parseStrictJson(text);
      if (isDeeperThan(MAX_SCHEMA_LEVELS, schema)) {
        this.#fail(
          path,
          `${file} is nested more than ${MAX_SCHEMA_LEVELS} levels deep; write a flatter JSON Schema there`,
        );
        return {};
      }
      if (typeof schema === 'object' && schema !== null && !Array.isArray(schema))
        return schema as JsonSchema;
      this.#fail(path, `${file} contains no JSON Schema; write an object such as { "type": "object" } there`);
    } catch (error) {
      if (!hasCode<StrictJsonError>(error, 'invalid_json')) throw error;
      const { check, path: pointer, message } = error.fault;
      if (check !== 'json') this.#fail(path, `${file}, at ${pointer}: ${message}`);
      else this.#fail(path, `${file} is not JSON${placeOf(error.cause, text)}; write a JSON Schema there`);
    }
    return {};
  }

  #variable(name: string, path: readonly PathSegment[]): string | undefined {
    const text = this.#options.environment[name];
    if (text !== undefined && text !== '') return text;
    this.#fail(path, `the environment variable ${name} is not set; set it to the secret`);
    return undefined;
  }

  async #file(file: string, path: readonly PathSegment[]): Promise<string | undefined> {
    try {
      return await readTextFile(this.path(file));
    } catch (error) {
      const reason = reasonOfFile(error);
      const what = reason === 'ENOENT' ? 'does not exist' : `cannot be read (${reason})`;
      this.#fail(path, `the file ${this.path(file)} ${what}; write the path of a file that can be read`);
      return undefined;
    }
  }

  #fail(path: readonly PathSegment[], message: string): void {
    this.mistakes.push({ path, message: `${formatPath(path)}: ${message}.` });
  }
}

/** Where JSON ends to be JSON, without what is there: the file may be another one than was meant. */
function placeOf(cause: unknown, text: string): string {
  const position = /at position (\d+)/.exec(errorMessage(cause))?.[1];
  if (position === undefined) return '';
  const lines = text.slice(0, Number(position)).split('\n');
  return ` (line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1})`;
}

/** Goes level by level: a function that calls itself would fail where a text is deep enough. */
function isDeeperThan(levels: number, value: unknown): boolean {
  const isHolder = (item: unknown): item is object => typeof item === 'object' && item !== null;
  let level = [value].filter(isHolder);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= levels) return true;
    level = level.flatMap((item) => (Object.values(item) as unknown[]).filter(isHolder));
  }
  return false;
}
