import { AsyncLocalStorage } from 'node:async_hooks';
import { resolve } from 'node:path';
import { hasCode, type JsonSchema, parseStrictJson, type StrictJsonError } from 'rostack-core';
import { z } from 'zod';
import {
  type CertificateFilePaths,
  readCertificatePair,
} from '../../serving/certificates/certificate-files.ts';
import { errorMessage } from '../../text/error-message.ts';
import { isDeeperThan } from '../../text/nesting.ts';
import { readTextFile, reasonOfFile } from '../../text/text-file.ts';

export interface ReferenceReaderOptions {
  /** An absolute path; relative paths are resolved against it. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** When certificates have to be valid, in milliseconds since 1970; undefined if they need not be. */
  readonly certificatesAtMs?: number | undefined;
}

const MAX_SCHEMA_LEVELS = 256;

/** Where to find a secret: never in the configuration itself. */
export type SecretReference = { readonly env: string } | { readonly file: string };

/** A reference of the configuration that cannot be used. */
export class Unreadable {
  /** A fragment of a sentence: why, and what to write. */
  readonly fault: string;
  /** Where the reference is, below the value that is read. */
  readonly path: string[];

  constructor(fault: string, path: string[] = []) {
    this.fault = fault;
    this.path = path;
  }
}

/** Zod passes only the value to its transforms, so they find the reader of their parse here. */
const readers = new AsyncLocalStorage<ReferenceReader>();
/** Number of parses in progress. */
let parsing = 0;

/**
 * The transform that replaces a reference with what it refers to; an unreadable one becomes an issue at the reference. It works only in
 * `ReferenceReader.parse`.
 */
export const reading =
  <From, To>(
    read: (reader: ReferenceReader, from: From) => Promise<To | Unreadable | readonly Unreadable[]>,
  ) =>
  async (from: From, context: z.core.$RefinementCtx<From>): Promise<To> => {
    const reader = readers.getStore();
    if (reader === undefined) throw new Error('no reader is there for what the configuration refers to');
    const found = await read(reader, from);
    const unreadable = [found].flat().filter((each) => each instanceof Unreadable);
    for (const { fault, path } of unreadable)
      context.addIssue({ code: 'custom', path, message: `: ${fault}` });
    return unreadable.length === 0 ? (found as To) : z.NEVER;
  };

/** Reads the secrets and files that a configuration refers to. */
export class ReferenceReader {
  readonly #options: ReferenceReaderOptions;

  constructor(options: ReferenceReaderOptions) {
    this.#options = options;
  }

  /** Parses a value with a model that reads references. */
  async parse<Model extends z.ZodType>(
    model: Model,
    value: unknown,
  ): Promise<z.ZodSafeParseResult<z.output<Model>>> {
    parsing += 1;
    try {
      // Zod mistakes an object that appears twice, such as that of a YAML alias, for a cycle while the first one is still being read.
      const apart = withoutSharing(value);
      return await readers.run(this, () => model.safeParseAsync(apart, { reportInput: true }));
    } finally {
      parsing -= 1;
      // Node 22 makes every promise of the process slower while an `AsyncLocalStorage` is enabled.
      if (parsing === 0) readers.disable();
    }
  }

  path(file: string): string {
    return resolve(this.#options.folder, file);
  }

  /** Reads the text behind a reference, such as a secret, without the line break at its end. */
  async text(reference: SecretReference, minLength = 1): Promise<string | Unreadable> {
    const found = 'env' in reference ? this.#variable(reference.env) : await this.#file(reference.file);
    if (found instanceof Unreadable) return found;
    const text = found.replace(/\r?\n$/, '');
    if (text.length >= minLength) return text;
    const source = 'env' in reference ? `the environment variable ${reference.env}` : reference.file;
    return new Unreadable(`${source} has ${text.length} characters; put at least ${minLength} there`);
  }

  /** Checks a certificate and its key; returns their absolute paths. */
  async certificate(files: {
    readonly certificate: string;
    readonly key: string;
  }): Promise<CertificateFilePaths | readonly Unreadable[]> {
    const paths = { certificateFile: this.path(files.certificate), keyFile: this.path(files.key) };
    const unreadable: Unreadable[] = [];
    for (const member of ['certificate', 'key'] as const) {
      const text = await this.text({ file: files[member] });
      if (text instanceof Unreadable) unreadable.push(new Unreadable(text.fault, [member]));
    }
    if (unreadable.length > 0) return unreadable;
    try {
      await readCertificatePair(paths, this.#options.certificatesAtMs);
      return paths;
    } catch (error) {
      const advice = 'write the PEM files of a certificate and of its private key';
      return [new Unreadable(`${errorMessage(error)}; ${advice}`)];
    }
  }

  async jsonSchema(file: string): Promise<JsonSchema | Unreadable> {
    const text = await this.#file(file);
    if (text instanceof Unreadable) return text;
    try {
      const schema = parseStrictJson(text);
      if (isDeeperThan(MAX_SCHEMA_LEVELS, schema)) {
        return new Unreadable(
          `${file} is nested more than ${MAX_SCHEMA_LEVELS} levels deep; write a flatter JSON Schema there`,
        );
      }
      if (typeof schema === 'object' && schema !== null && !Array.isArray(schema))
        return schema as JsonSchema;
      return new Unreadable(
        `${file} contains no JSON Schema; write an object such as { "type": "object" } there`,
      );
    } catch (error) {
      if (!hasCode<StrictJsonError>(error, 'invalid_json')) throw error;
      const { check, path: pointer, message } = error.fault;
      return new Unreadable(
        check === 'json'
          ? `${file} is not JSON${placeOf(error.cause, text)}; write a JSON Schema there`
          : `${file}, at ${pointer}: ${message}`,
      );
    }
  }

  #variable(name: string): string | Unreadable {
    const text = this.#options.environment[name];
    if (text !== undefined && text !== '') return text;
    return new Unreadable(`the environment variable ${name} is not set; set it to the secret`);
  }

  async #file(file: string): Promise<string | Unreadable> {
    try {
      return await readTextFile(this.path(file));
    } catch (error) {
      const reason = reasonOfFile(error);
      const what = reason === 'ENOENT' ? 'does not exist' : `cannot be read (${reason})`;
      return new Unreadable(`the file ${this.path(file)} ${what}; write the path of a file that can be read`);
    }
  }
}

/** The position at which a text stops being JSON, without quoting it: the file may be the wrong one. */
function placeOf(cause: unknown, text: string): string {
  const position = /at position (\d+)/.exec(errorMessage(cause))?.[1];
  if (position === undefined) return '';
  const lines = text.slice(0, Number(position)).split('\n');
  return ` (line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1})`;
}

/** A copy in which no object appears twice. */
function withoutSharing(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutSharing(item));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutSharing(item)]));
}
