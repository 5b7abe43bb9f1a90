import { setTimeout as delay } from 'node:timers/promises';
import {
  hasCode,
  type JsonObject,
  jsonEquals,
  parseTrustedJson,
  recordIdText,
  resolvePointer,
  type Transition,
} from 'rostack-core';
import type { StoreChange, StoreUnavailableError } from 'rostack-store';
import { applyEach, type ChangeOutcome, toRefusal } from '../admin/changes/apply-each.ts';
import { TextFileError } from '../text/text-file.ts';
import { isUtf16, UTF_16 } from '../text/utf-16.ts';
import { CsvReader } from './csv-reader.ts';
import { deleteMissing } from './delete-missing.ts';
import type { ImportCounts, ImportProgress } from './import-checkpoint.ts';
import type { ImportOptions, ImportReport } from './import-options.ts';
import type { ImportedLine, LineReader } from './line-reader.ts';
import { NdjsonReader } from './line-reader.ts';
import type { RefusedLine } from './rejects-file.ts';

/** Most records written in one transaction, and most bytes of their text. */
const BATCH_RECORDS = 1_000;
const BATCH_BYTES = 4_194_304;
const MAX_TRIES = 5;
/** The first bytes, which show whether the text is UTF-16. */
const MARK_BYTES = 2;
/** Room in a line for everything but its record. */
const LINE_SLACK_BYTES = 65_536;

/**
 * Writes the records of a file into a resource, a batch at a time. Refused lines are reported and do not hold up the others. A run that
 * ends early is continued by the next one with the same checkpoint: no batch contains an id twice, so writing one again changes nothing.
 * @throws CsvHeaderError `csv_header_invalid`
 * @throws TextFileError `file_not_text` if it is UTF-16
 * @throws StoreUnavailableError `store_unavailable` after 5 tries; what was written stays, and the next run continues after it
 */
export async function importRecords(options: ImportOptions): Promise<ImportReport> {
  return new Import(options).run();
}

/** @throws TextFileError `file_not_text` */
async function* unlessUtf16(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start = new Uint8Array();
  for await (const piece of pieces) {
    if (start.length < MARK_BYTES) {
      start = Buffer.concat([start, piece.subarray(0, MARK_BYTES - start.length)]);
      if (isUtf16(start)) throw new TextFileError(`the records cannot be read: ${UTF_16}`);
    }
    yield piece;
  }
}

class Import {
  readonly #options: ImportOptions;
  readonly #counts: ImportCounts = { lines: 0, created: 0, updated: 0, unchanged: 0, refused: 0 };
  #batch: ImportedLine[] = [];
  #batchIds = new Set<string>();
  #batchBytes = 0;

  constructor(options: ImportOptions) {
    this.#options = options;
  }

  async run(): Promise<ImportReport> {
    const {
      store,
      resource,
      input,
      checkpoint,
      stop,
      deleteMissing: deletion,
      dryRun = false,
    } = this.#options;
    const head = await store.source(resource.name).head();
    const identity = JSON.stringify([
      input.identity ?? null,
      resource.name,
      head.epoch,
      this.#options.format,
      dryRun,
    ]);
    const before = input.identity === undefined ? undefined : checkpoint.resume(identity);
    Object.assign(this.#counts, before?.counts);
    await this.#options.rejects.start(before?.rejectsBytes ?? 0);
    const start = { startOffset: before?.offset ?? 0, linesBefore: before?.linesBefore ?? 0 };
    const reader = this.#createReader(start, before?.header);
    const progress = { identity, startPosition: before?.startPosition ?? head.position };

    const pieces = input.open(start.startOffset);
    for await (const piece of start.startOffset === 0 ? unlessUtf16(pieces) : pieces) {
      await this.#take(reader.push(piece), reader, progress);
      if (stop?.aborted === true) break;
    }
    const isComplete = stop?.aborted !== true;
    if (isComplete) {
      await this.#take(reader.end(), reader, progress);
      await this.#flush(reader, progress);
    }
    const resumedAfterLine = before?.linesBefore;
    if (deletion === undefined) return this.#report({ isComplete, resumedAfterLine });
    const isCutOff = reader.isCutOff || before?.isCutOff === true;
    const notDeleted = isCutOff ? 'cut_off' : this.#whyNotDeleted(isComplete, deletion.despiteRefused);
    if (notDeleted !== undefined) return this.#report({ isComplete, resumedAfterLine, notDeleted });
    const deleted = await deleteMissing({
      store,
      resource: resource.name,
      idPath: resource.idPath,
      startPosition: progress.startPosition,
      isKept: (id) => checkpoint.hasSeen(id),
      event: this.#options.events,
      dryRun,
    });
    return this.#report({ isComplete, resumedAfterLine, deleted });
  }

  #report(rest: Partial<ImportReport> & Pick<ImportReport, 'isComplete' | 'resumedAfterLine'>): ImportReport {
    return { counts: { ...this.#counts }, deleted: undefined, notDeleted: undefined, ...rest };
  }

  #whyNotDeleted(isComplete: boolean, despiteRefused: boolean): ImportReport['notDeleted'] {
    const { created, updated, unchanged, refused } = this.#counts;
    if (!isComplete) return 'stopped';
    if (refused > 0 && !despiteRefused) return 'lines_refused';
    return created + updated + unchanged === 0 ? 'no_records' : undefined;
  }

  #createReader(start: { startOffset: number; linesBefore: number }, header?: readonly string[]): LineReader {
    const { format, resource, maxRecordBytes } = this.#options;
    const maxLineBytes = maxRecordBytes + LINE_SLACK_BYTES;
    if (format.kind === 'ndjson') return new NdjsonReader(maxLineBytes, start);
    const { delimiter } = format;
    return new CsvReader({ schema: resource.schema, delimiter, maxRecordBytes: maxLineBytes, header }, start);
  }

  async #take(
    lines: readonly ImportedLine[],
    reader: LineReader,
    progress: Pick<ImportProgress, 'identity' | 'startPosition'>,
  ): Promise<void> {
    for (const line of lines) {
      const id = this.#idOf(line);
      if (id !== undefined && this.#batchIds.has(id)) await this.#flush(reader, progress);
      this.#batch.push(line);
      if (id !== undefined) this.#batchIds.add(id);
      this.#batchBytes += line.text?.length ?? 0;
      if (this.#batch.length >= BATCH_RECORDS || this.#batchBytes >= BATCH_BYTES) {
        await this.#flush(reader, progress);
        if (this.#options.stop?.aborted === true) return;
      }
    }
  }

  #idOf({ content }: ImportedLine): string | undefined {
    if (!('record' in content)) return undefined;
    return recordIdText(resolvePointer(content.record, this.#options.resource.idPath));
  }

  /** Writes the pending batch, then moves the checkpoint past it. */
  async #flush(
    reader: LineReader,
    { identity, startPosition }: Pick<ImportProgress, 'identity' | 'startPosition'>,
  ): Promise<void> {
    const batch = this.#batch;
    const last = batch.at(-1);
    if (last === undefined) return;
    const seenIds = [...this.#batchIds];
    this.#batch = [];
    this.#batchIds = new Set();
    this.#batchBytes = 0;

    const refused = await this.#write(batch);
    this.#counts.lines += batch.length;
    this.#counts.refused += refused.length;
    await this.#options.rejects.write(refused);
    const header = reader instanceof CsvReader ? reader.header : undefined;
    this.#options.checkpoint.save(
      {
        identity,
        startPosition,
        offset: last.endOffset,
        linesBefore: last.lastLine,
        ...(header !== undefined && { header: [...header] }),
        rejectsBytes: this.#options.rejects.bytes,
        isCutOff: reader.isCutOff,
        counts: this.#counts,
      },
      seenIds,
    );
    this.#options.onProgress?.({ ...this.#counts });
  }

  async #write(batch: readonly ImportedLine[]): Promise<RefusedLine[]> {
    const refused: RefusedLine[] = [];
    const written: { readonly line: ImportedLine; readonly record: JsonObject }[] = [];
    for (const line of batch) {
      if ('record' in line.content) written.push({ line, record: line.content.record });
      else refused.push({ line: line.line, ...line.content.fault, text: line.text });
    }
    const { resource, events, dryRun = false } = this.#options;
    const changes = written.map(
      ({ record }): StoreChange => ({ resource: resource.name, op: 'put', record, event: events }),
    );
    const outcomes = dryRun ? await this.#check(changes) : await this.#apply(changes);
    for (const [index, outcome] of outcomes.entries()) {
      const line = written[index]?.line;
      if (line === undefined) continue;
      if (typeof outcome === 'string') this.#counts[outcome] += 1;
      else refused.push({ line: line.line, ...outcome, text: line.text });
    }
    return refused.sort((a, b) => a.line - b.line);
  }

  async #apply(changes: readonly StoreChange[]): Promise<(Fate | RefusedFault)[]> {
    const { store, retryDelayMs = 1_000 } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return (await applyEach(store, changes)).map(toFate);
      } catch (error) {
        if (!hasCode<StoreUnavailableError>(error, 'store_unavailable') || attempt === MAX_TRIES) throw error;
        await delay(retryDelayMs * attempt);
      }
    }
  }

  /** Predicts the result of `#apply`, as far as possible without writing. */
  async #check(changes: readonly StoreChange[]): Promise<(Fate | RefusedFault)[]> {
    const { store, resource } = this.#options;
    const source = store.source(resource.name);
    return Promise.all(
      changes.map(async (change) => {
        try {
          store.check([change]);
        } catch (error) {
          return toFate({ refusal: toRefusal(error) });
        }
        const record = (change.op === 'put' ? change.record : {}) as JsonObject;
        const id = recordIdText(resolvePointer(record, resource.idPath));
        const present = id === undefined ? undefined : await source.get(id);
        if (present === undefined || present === 'gone') return this.#ambiguous('create') ?? 'created';
        if (jsonEquals(parseTrustedJson(present.body) as JsonObject, record)) return 'unchanged';
        return this.#ambiguous('update') ?? 'updated';
      }),
    );
  }

  /** The fault of a change for which several events are possible. */
  #ambiguous(transition: Transition): RefusedFault | undefined {
    const { resource, events } = this.#options;
    const fitting = [...resource.events].filter(([, event]) => event.transition === transition);
    if (fitting.length < 2 || events?.[transition] !== undefined) return undefined;
    const names = fitting.map(([name]) => name).join(', ');
    return {
      code: 'change_invalid',
      message: `${resource.name} declares several events for ${transition}: name one of ${names}`,
    };
  }
}

type Fate = 'created' | 'updated' | 'unchanged';
type RefusedFault = Pick<RefusedLine, 'code' | 'message' | 'pointer'>;

function toFate(outcome: ChangeOutcome): Fate | RefusedFault {
  if ('refusal' in outcome) {
    const { code, message, pointer } = outcome.refusal;
    return { code, message, ...(pointer !== undefined && { pointer }) };
  }
  const { transition } = outcome.result;
  if (transition === 'create') return 'created';
  return transition === 'update' ? 'updated' : 'unchanged';
}
