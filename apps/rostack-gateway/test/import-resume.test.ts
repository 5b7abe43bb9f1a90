import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { openStore, type Store } from 'rostack-store';
import { describePostgres, postgresSchema } from 'test-support/postgres';
import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { ImportCheckpoint, ImportRunningError } from '../src/import/import-checkpoint.ts';
import { fileInput, type ImportInput } from '../src/import/import-file.ts';
import { importRecords } from '../src/import/import-records.ts';
import { NO_REJECTS, RejectsFile } from '../src/import/rejects-file.ts';
import {
  idsOf,
  imported,
  lines,
  openStations,
  runImport,
  stations,
  stoppingAfter,
} from './support/importing.ts';

describePostgres('on PostgreSQL, an import', () => {
  test('writes, resumes and deletes as on SQLite, next to another process', async () => {
    await using database = postgresSchema();
    await using folder = await temporaryFolder();
    const { url, schema } = database;
    await using store = await openStore({ url, schema, resources: [stations] });
    await using other = await openStore({ url, schema, resources: [stations] });
    await other.apply([
      { resource: 'stations', op: 'put', record: { id: 'old', height: 1 } },
      { resource: 'stations', op: 'put', record: { id: 's1', height: 1 } },
    ]);
    const file = join(folder.path, 'stations.ndjson');
    await writeFile(file, `${lines(3_000)}{"id":"bad"}\n`);
    const run = async (input: ImportInput, stop?: AbortSignal) => {
      using checkpoint = new ImportCheckpoint(join(folder.path, 'checkpoint.db'), { isResumable: true });
      return await runImport(store, input, { checkpoint, deleteMissing: { despiteRefused: true }, stop });
    };
    const stop = new AbortController();
    const stopped = await run(stoppingAfter(await fileInput(file), 1, stop), stop.signal);
    expect(stopped).toMatchObject({ isComplete: false });
    await other.apply([{ resource: 'stations', op: 'put', record: { id: 'by another', height: 1 } }]);
    expect(await run(await fileInput(file))).toMatchObject({
      isComplete: true,
      counts: { lines: 3_001, created: 2_999, unchanged: 1, refused: 1 },
      deleted: 1,
    });
    const ids = await idsOf(other.source('stations'));
    expect(ids).toHaveLength(3_001);
    expect(ids).toContain('by another');
    expect(ids).not.toContain('old');
  });
});

describe('a stopped import', () => {
  test.each(['stations.ndjson', 'stations.ndjson.gz', 'stations.csv'])(
    'of %s goes on where it was: nothing is lost, doubled or told twice',
    async (name) => {
      await using folder = await temporaryFolder();
      await using store = await openStations();
      const file = join(folder.path, name);
      const bad = 4;
      const rows = Array.from({ length: 20_000 }, (_, index) => [
        `s${index}`,
        index % 5_000 === bad ? 'x' : `${index}`,
      ]);
      const ndjson = rows
        .map(([id, height]) => `{"id":"${id}","height":${height === 'x' ? '"x"' : height}}\n`)
        .join('');
      const csv = `id,height\n${rows.map((row) => `${row.join(',')}\n`).join('')}`;
      await writeFile(file, name.endsWith('.gz') ? gzipSync(ndjson) : name.endsWith('csv') ? csv : ndjson);
      const format = name.endsWith('csv')
        ? ({ kind: 'csv', delimiter: ',' } as const)
        : ({ kind: 'ndjson' } as const);
      await store.apply([{ resource: 'stations', op: 'put', record: { id: 'old', height: 0 } }]);

      const checkpointFile = join(folder.path, 'checkpoint.db');
      const reports = [];
      for (let run = 0; run < 20; run += 1) {
        using checkpoint = new ImportCheckpoint(checkpointFile, { isResumable: true });
        await using rejects = new RejectsFile(join(folder.path, 'rejects'));
        const stop = new AbortController();
        const report = await importRecords({
          store,
          resource: imported,
          input: stoppingAfter(await fileInput(file), 150_000, stop),
          format,
          checkpoint,
          rejects,
          maxRecordBytes: 1_048_576,
          deleteMissing: { despiteRefused: true },
          stop: stop.signal,
        });
        reports.push(report);
        if (report.isComplete) break;
      }
      const last = reports.at(-1);
      expect(reports.length).toBeGreaterThan(1);
      expect(last).toMatchObject({
        isComplete: true,
        counts: { lines: 20_000, created: 19_996, updated: 0, unchanged: 0, refused: 4 },
        deleted: 1,
      });
      expect(await store.source('stations').head()).toMatchObject({ position: 19_998 });
      const refused = await text(createReadStream(join(folder.path, 'rejects')));
      const header = name.endsWith('csv') ? 1 : 0;
      expect(
        refused
          .trim()
          .split('\n')
          .map((entry) => (JSON.parse(entry) as { line: number }).line),
      ).toEqual([0, 5_000, 10_000, 15_000].map((index) => index + bad + 1 + header));
    },
  );

  test('of a file that is cut off within a quoted cell deletes nothing when it goes on behind it', async () => {
    await using folder = await temporaryFolder();
    await using store = await openStations();
    await store.apply([{ resource: 'stations', op: 'put', record: { id: 'old', height: 0 } }]);
    const file = join(folder.path, 'stations.csv');
    await writeFile(file, 'id,height\ns0,1\ns1,"2\ns2,3\n');
    const run = async (options: Parameters<typeof runImport>[2]) => {
      using checkpoint = new ImportCheckpoint(join(folder.path, 'checkpoint.db'), { isResumable: true });
      const format = { kind: 'csv', delimiter: ',' } as const;
      return await runImport(store, await fileInput(file), { format, checkpoint, ...options });
    };
    expect(await run({})).toMatchObject({ isComplete: true, counts: { created: 1, refused: 1 } });
    expect(await run({ deleteMissing: { despiteRefused: true } })).toMatchObject({
      deleted: undefined,
      notDeleted: 'cut_off',
    });
    expect(await idsOf(store.source('stations'))).toEqual(['old', 's0']);
  });

  test('starts again when the file has changed or the store is another', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'stations.ndjson');
    await writeFile(file, lines(5_000));
    const run = async (store: Store, stopped: boolean) => {
      using checkpoint = new ImportCheckpoint(join(folder.path, 'checkpoint.db'), { isResumable: true });
      const stop = new AbortController();
      const input = await fileInput(file);
      return await importRecords({
        store,
        resource: imported,
        input: stopped ? stoppingAfter(input, 1, stop) : input,
        format: { kind: 'ndjson' },
        checkpoint,
        rejects: NO_REJECTS,
        maxRecordBytes: 1_048_576,
        stop: stop.signal,
        deleteMissing: { despiteRefused: false },
      });
    };
    await using first = await openStations();
    expect((await run(first, true)).isComplete).toBe(false);
    await using second = await openStations();
    expect(await run(second, true)).toMatchObject({ isComplete: false, resumedAfterLine: undefined });
    // What the earlier runs have seen is not in this file.
    await writeFile(file, lines(10, 2));
    expect(await run(second, false)).toMatchObject({ resumedAfterLine: undefined, counts: { lines: 10 } });
    expect(await idsOf(second.source('stations'))).toHaveLength(10);
  });

  test('killed between writing and its checkpoint leaves the log that a straight run leaves', async () => {
    class KilledCheckpoint extends ImportCheckpoint {
      savesLeft = Number.POSITIVE_INFINITY;

      override save(...saved: Parameters<ImportCheckpoint['save']>): void {
        this.savesLeft -= 1;
        if (this.savesLeft < 0) throw new Error('killed');
        super.save(...saved);
      }
    }
    const logOf = async (store: Store) =>
      (await store.source('stations').read(0, 1_000)).map(({ id, transition, after }) => [
        id,
        transition,
        after,
      ]);
    const rows = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(1, 2, 'bad')), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(rows, fc.array(fc.nat({ max: 3 }), { maxLength: 4 }), async (content, kills) => {
        await using folder = await temporaryFolder();
        const file = join(folder.path, 'rows.ndjson');
        await writeFile(file, content.map(([id, height]) => `${JSON.stringify({ id, height })}\n`).join(''));
        const input = () => fileInput(file);
        await using straight = await openStations();
        const expected = await runImport(straight, await input());
        await using store = await openStations();
        const run = async (savesLeft: number) => {
          using checkpoint = new KilledCheckpoint(join(folder.path, 'checkpoint.db'), { isResumable: true });
          checkpoint.savesLeft = savesLeft;
          return await runImport(store, await input(), { checkpoint });
        };
        for (const savesLeft of kills) await run(savesLeft).catch(() => {});
        const report = await run(Number.POSITIVE_INFINITY);
        expect(await logOf(store)).toEqual(await logOf(straight));
        expect(report.counts).toMatchObject({
          lines: expected.counts.lines,
          refused: expected.counts.refused,
        });
      }),
      { numRuns: 40 },
    );
  });

  test('is not run twice at the same time', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'checkpoint.db');
    using _first = new ImportCheckpoint(file, { isResumable: true });
    expect(() => new ImportCheckpoint(file, { isResumable: true })).toThrow(ImportRunningError);
  });
});
