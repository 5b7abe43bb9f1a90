import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Page, type PageKey, type Position, parseBodies, type RecordSource } from 'rostack-core';
import { openStore, type Store } from 'rostack-store';
import { temporaryFolder } from 'test-support/temporary-folder';
import { ImportCheckpoint } from '../../src/import/import-checkpoint.ts';
import { type ImportInput, streamInput } from '../../src/import/import-file.ts';
import type { ImportOptions } from '../../src/import/import-options.ts';
import { importRecords } from '../../src/import/import-records.ts';
import { NO_REJECTS } from '../../src/import/rejects-file.ts';
import { stationSchema } from './sample-config.ts';

/** A resource to import. */
export const stations = {
  name: 'stations',
  idPointer: '/id',
  schema: stationSchema,
  events: [
    { name: 'station.created', transition: 'create' },
    { name: 'station.updated', transition: 'update' },
    { name: 'station.removed', transition: 'delete' },
  ],
} as const;

export const imported = {
  ...stations,
  idPath: ['id'],
  events: new Map(stations.events.map((event) => [event.name, event] as const)),
};

export const openStations = (url = 'sqlite::memory:') => openStore({ url, resources: [stations] });

export const line = (id: string, height: number) => `${JSON.stringify({ id, height })}\n`;
export const lines = (count: number, height = 1) =>
  Array.from({ length: count }, (_, index) => line(`s${index}`, height)).join('');

/** Imports a text as a stream, or a file. */
export async function runImport(
  store: Store,
  input: string | ImportInput,
  options: Partial<ImportOptions> = {},
) {
  await using folder = await temporaryFolder();
  using checkpoint = new ImportCheckpoint(join(folder.path, 'checkpoint.db'), { isResumable: false });
  return await importRecords({
    store,
    resource: imported,
    input: typeof input === 'string' ? streamInput(Readable.from([Buffer.from(input)])) : input,
    format: { kind: 'ndjson' },
    checkpoint,
    rejects: NO_REJECTS,
    maxRecordBytes: 1_048_576,
    retryDelayMs: 1,
    ...options,
  });
}

export async function idsOf(source: RecordSource): Promise<string[]> {
  const ids: string[] = [];
  let at: Position | undefined;
  let after: PageKey | undefined;
  do {
    const page: Page = await source.page({ at, sort: [], limit: 1_000, after });
    ids.push(...parseBodies(page.bodies).map(({ id }) => id as string));
    at ??= page.head.position;
    after = page.next;
  } while (after !== undefined);
  return ids;
}

/** A file that stops the import once so many bytes of it were read. */
export function stoppingAfter(input: ImportInput, bytes: number, stop: AbortController): ImportInput {
  async function* open(offset: number) {
    let count = 0;
    for await (const piece of input.open(offset)) {
      yield piece;
      count += piece.length;
      if (count >= bytes) stop.abort();
    }
  }
  return { ...input, open };
}
