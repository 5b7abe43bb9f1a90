import { createReadStream } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import type { RecordSource } from 'rostack-core';
import { openStore, type Store, StoreUnavailableError } from 'rostack-store';
import { describe, expect, test } from 'vitest';
import { ImportCheckpoint, ImportRunningError } from '../src/import/import-checkpoint.ts';
import { fileInput, type ImportInput, streamInput } from '../src/import/import-file.ts';
import type { ImportOptions } from '../src/import/import-options.ts';
import { importRecords } from '../src/import/import-records.ts';
import { NO_REJECTS, RejectsFile } from '../src/import/rejects-file.ts';
import { describePostgres, postgresSchema } from './support/postgres.ts';
import { runCommand } from './support/run-command.ts';
import { stationSchema, writeSampleConfig } from './support/sample-config.ts';
import { spawnGateway } from './support/spawn-gateway.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const stations = {
  name: 'stations',
  idPointer: '/id',
  idPath: ['id'],
  schema: stationSchema,
  events: [
    { name: 'station.created', transition: 'create' },
    { name: 'station.updated', transition: 'update' },
    { name: 'station.removed', transition: 'delete' },
  ],
} as const;

const imported = {
  ...stations,
  events: new Map(stations.events.map((event) => [event.name, event] as const)),
};

const openStations = (url = 'sqlite::memory:') => openStore(url, { resources: [stations] });

const line = (id: string, height: number) => `${JSON.stringify({ id, height })}\n`;
const lines = (count: number, height = 1) =>
  Array.from({ length: count }, (_, index) => line(`s${index}`, height)).join('');

/** Imports a text as a stream, or a file. */
async function runImport(store: Store, input: string | ImportInput, options: Partial<ImportOptions> = {}) {
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

async function idsOf(source: RecordSource): Promise<string[]> {
  const { position: at } = await source.head();
  const ids: string[] = [];
  let after: Parameters<RecordSource['page']>[0]['after'];
  do {
    const page = await source.page({ at, sort: [], limit: 1_000, after });
    ids.push(...page.records.map(({ id }) => id));
    after = page.next;
  } while (after !== undefined);
  return ids;
}

describe('an import', () => {
  test('writes good lines beside refused ones, which are told of by line and reason', async () => {
    await using folder = await temporaryFolder();
    await using store = await openStations();
    const rejects = new RejectsFile(join(folder.path, 'rejects.ndjson'));
    const content = [
      '{"id":"a","height":1}',
      '',
      'no json',
      '[1]',
      '{"id":"b"}',
      `{"id":"${'x'.repeat(600)}","height":1}`,
      '{"id":"c","height":1,"note":"extra"}',
      '{"id":"d","height":2}',
    ].join('\n');
    const report = await runImport(store, content, { rejects });
    await rejects[Symbol.asyncDispose]();
    expect(report).toMatchObject({ isComplete: true, counts: { lines: 7, created: 2, refused: 5 } });
    expect(await idsOf(store.source('stations'))).toEqual(['a', 'd']);
    const refused = (await readFile(join(folder.path, 'rejects.ndjson'), 'utf8')).trim().split('\n');
    expect(refused.map((entry) => JSON.parse(entry) as unknown)).toMatchObject([
      { line: 3, code: 'line_not_json', text: 'no json' },
      { line: 4, code: 'line_not_json', message: 'the line is JSON, but not an object' },
      { line: 5, code: 'record_invalid', message: expect.stringContaining('height'), text: '{"id":"b"}' },
      { line: 6, code: 'record_invalid', pointer: '/id' },
      { line: 7, code: 'record_invalid', message: expect.stringContaining('additional properties') },
    ]);
  });

  test('of the same records again changes nothing, and of others says what it did', async () => {
    await using store = await openStations();
    await runImport(store, lines(2_500));
    expect((await runImport(store, lines(2_500))).counts).toMatchObject({ unchanged: 2_500, updated: 0 });
    const mixed = await runImport(store, line('s0', 9) + line('new', 1) + line('s1', 1));
    expect(mixed.counts).toMatchObject({ created: 1, updated: 1, unchanged: 1 });
    expect(await store.source('stations').head()).toMatchObject({ position: 2_502 });
  });

  test('keeps the order of lines with the same id', async () => {
    await using store = await openStations();
    await runImport(store, line('a', 1) + line('a', 2) + line('a', 3));
    const changes = await store.source('stations').read(0, 10);
    expect(changes.map(({ after }) => JSON.parse(after ?? '{}') as unknown)).toMatchObject([
      { height: 1 },
      { height: 2 },
      { height: 3 },
    ]);
  });

  test('tries a store again that is not available for a while', async () => {
    await using store = await openStations();
    let failures = 20;
    const flaky = {
      source: (name: string) => store.source(name),
      check: () => {},
      apply: (changes: Parameters<Store['apply']>[0]) => {
        if (failures === 0) return store.apply(changes);
        failures -= 1;
        return Promise.reject(new StoreUnavailableError('busy'));
      },
    };
    const report = await runImport(store, lines(10), { store: flaky });
    expect(report.counts).toMatchObject({ created: 10, refused: 0 });
    failures = Number.POSITIVE_INFINITY;
    await expect(runImport(store, lines(10), { store: flaky })).rejects.toThrow('busy');
  });

  test('that is a dry run says the same and writes nothing', async () => {
    await using store = await openStations();
    await runImport(store, lines(3) + line('old', 1));
    const content = `${line('s0', 1) + line('s1', 7) + line('new', 1)}{"id":"s2"}\n`;
    const options = { deleteMissing: { despiteRefused: true } };
    const dry = await runImport(store, content, { ...options, dryRun: true });
    expect(await store.source('stations').head()).toMatchObject({ position: 4 });
    expect(dry).toEqual(await runImport(store, content, options));
    expect(dry).toMatchObject({ counts: { created: 1, updated: 1, unchanged: 1, refused: 1 }, deleted: 1 });
  });
});

describe('deletion of what a file lacks', () => {
  const deleteMissing = { despiteRefused: false };

  test('is one transaction, and spares what others have written since the import began', async () => {
    await using store = await openStations();
    await runImport(store, lines(3_000));
    const { position } = await store.source('stations').head();
    async function* pieces() {
      yield Buffer.from(lines(1_000));
      await store.apply([
        { resource: 'stations', op: 'put', record: { id: 'by another', height: 1 } },
        { resource: 'stations', op: 'put', record: { id: 's2999', height: 5 } },
      ]);
      yield Buffer.from(line('s1000', 1));
    }
    const input = streamInput(Readable.from(pieces()));
    const report = await runImport(store, input, { deleteMissing });
    expect(report).toMatchObject({ deleted: 1_998, counts: { unchanged: 1_001 } });
    const left = await idsOf(store.source('stations'));
    expect(left).toHaveLength(1_003);
    expect(left).toEqual(expect.arrayContaining(['by another', 's2999', 's1000']));
    const [first] = await store.source('stations').read(position + 2, 1);
    expect(first).toMatchObject({ transition: 'delete', eventType: 'station.removed' });
  });

  test('spares a record that changes in the last moment', async () => {
    await using store = await openStations();
    await runImport(store, lines(3));
    let isTouched = false;
    const racing = {
      source: (name: string) => store.source(name),
      check: () => {},
      apply: async (changes: Parameters<Store['apply']>[0]) => {
        if (changes.length === 2 && !isTouched) {
          isTouched = true;
          await store.apply([{ resource: 'stations', op: 'put', record: { id: 's1', height: 8 } }]);
        }
        return store.apply(changes);
      },
    };
    expect(await runImport(store, line('s0', 1), { store: racing, deleteMissing })).toMatchObject({
      deleted: 1,
    });
    expect(await idsOf(store.source('stations'))).toEqual(['s0', 's1']);
  });

  test('is left out after refused lines unless told, after an empty file, and after a stop', async () => {
    await using store = await openStations();
    await runImport(store, lines(5));
    const refused = `${line('s0', 1)}{"id":"s1"}\n`;
    expect(await runImport(store, refused, { deleteMissing })).toMatchObject({
      notDeleted: 'lines_refused',
      deleted: undefined,
    });
    expect(await runImport(store, '', { deleteMissing })).toMatchObject({ notDeleted: 'no_records' });
    const stop = AbortSignal.abort();
    expect(await runImport(store, lines(2), { deleteMissing, stop })).toMatchObject({
      notDeleted: 'stopped',
    });
    expect(await idsOf(store.source('stations'))).toHaveLength(5);
    const told = await runImport(store, refused, { deleteMissing: { despiteRefused: true } });
    expect(told).toMatchObject({ deleted: 3 });
    expect(await idsOf(store.source('stations'))).toEqual(['s0', 's1']);
  });
});

describePostgres('on PostgreSQL, an import', () => {
  test('writes, resumes and deletes as on SQLite, beside another process', async () => {
    await using database = postgresSchema();
    await using folder = await temporaryFolder();
    const { url, schema } = database;
    await using store = await openStore(url, { schema, resources: [stations] });
    await using other = await openStore(url, { schema, resources: [stations] });
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

/** A file that stops the import once so many bytes of it were read. */
function stoppingAfter(input: ImportInput, bytes: number, stop: AbortController): ImportInput {
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

  test('begins anew when the file has changed or the store is another', async () => {
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
      });
    };
    await using first = await openStations();
    expect((await run(first, true)).isComplete).toBe(false);
    await using second = await openStations();
    expect(await run(second, true)).toMatchObject({ isComplete: false, resumedAfterLine: undefined });
    await writeFile(file, lines(5_000, 2));
    expect(await run(second, false)).toMatchObject({ resumedAfterLine: undefined, counts: { lines: 5_000 } });
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

describe('the command', () => {
  test('says what it did, with exit code 1 after refused lines', async () => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path);
    const file = join(folder.path, 'stations.csv');
    await writeFile(file, 'id,height,open,/place/lat\na,1,true,37.5\nb,high,,\n');
    const rejects = join(folder.path, 'rejects.ndjson');
    const result = await runCommand(['import', 'stations', file, '--config', config, '--rejects', rejects]);
    expect(result).toEqual({
      exitCode: 1,
      stdout: 'records 2: created 1, updated 0, unchanged 0, refused 1\n',
      stderr: `error: 1 of 2 records were refused: see ${rejects}\n`,
    });
    expect(JSON.parse(await readFile(rejects, 'utf8'))).toEqual({
      line: 3,
      code: 'csv_cell_invalid',
      pointer: '/height',
      message: '"high" is no number',
      text: 'b,high,,',
    });
    expect(await readdir(join(folder.path, 'data', 'imports'))).toEqual([]);
  });

  test('logs the named events where a resource has several for a transition', async () => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path, {
      events: ['station.moved: { transition: update }', 'station.sunk: { transition: delete }'],
    });
    const file = join(folder.path, 'stations.ndjson');
    const run = (...argv: string[]) => runCommand(['import', 'stations', file, '--config', config, ...argv]);
    await writeFile(file, line('a', 1) + line('b', 1));
    expect((await run()).exitCode).toBe(0);
    await writeFile(file, line('a', 2));
    for (const argv of [['--dry-run'], []]) {
      expect(await run(...argv)).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('refused 1') });
    }
    const named = ['--event', 'station.moved', '--event', 'station.sunk'];
    expect((await run('--delete-missing', ...named)).stdout).toContain(
      'updated 1, unchanged 0, refused 0, deleted 1',
    );
    await using store = await openStations(`sqlite:${join(folder.path, 'data', 'store.db')}`);
    const changes = await store.source('stations').read(2, 10);
    expect(changes.map(({ eventType }) => eventType)).toEqual(['station.moved', 'station.sunk']);
    const both = await run('--event', 'station.moved', '--event', 'station.updated');
    expect(both).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('are both for update') });
    const unknown = await run('--event', 'station.lost');
    expect(unknown).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('has no event station.lost'),
    });
  });

  test.each([
    [['import', 'stations', 'stations.txt'], 'add --format ndjson or --format csv'],
    [['import', 'stations', 'absent.ndjson'], 'absent.ndjson cannot be read'],
    [['import', 'planets', '-', '--format', 'ndjson'], 'there is no resource planets: name one of stations'],
    [['import', 'stations', '-', '--format', 'xml'], 'write ndjson or csv'],
    [['import', 'stations', 'a.ndjson', '--delimiter', ';'], '--delimiter is for CSV'],
  ])('%j ends with exit code 2', async (argv, message) => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path);
    const { exitCode, stderr } = await runCommand([...argv, '--config', config]);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  test('killed at any moment, again and again, ends with each record written once', async () => {
    await using folder = await temporaryFolder();
    const count = 60_000;
    await writeSampleConfig(folder.path);
    await writeFile(join(folder.path, 'stations.ndjson'), lines(count));
    const argv = ['import', 'stations', 'stations.ndjson'];
    let kills = 0;
    for (; kills < 4; kills += 1) {
      await using command = spawnGateway(argv, { folder: folder.path });
      const store = join(folder.path, 'data', 'imports');
      await expect.poll(() => readdir(store).catch(() => []), { timeout: 20_000 }).not.toEqual([]);
      await new Promise((done) => setTimeout(done, 100 + 250 * Math.random()));
      if (command.child.exitCode !== null) break;
      await command.stop('SIGKILL');
    }
    await using last = spawnGateway(argv, { folder: folder.path });
    expect(await last.exited()).toBe(0);
    expect(kills).toBeGreaterThan(0);
    await using store = await openStations(`sqlite:${join(folder.path, 'data', 'store.db')}`);
    expect(await store.source('stations').head()).toMatchObject({ position: count });
    expect(await idsOf(store.source('stations'))).toHaveLength(count);
  });

  test('stops at SIGINT in good order', async () => {
    await using folder = await temporaryFolder();
    await writeSampleConfig(folder.path);
    await writeFile(join(folder.path, 'stations.ndjson'), lines(200_000));
    await using command = spawnGateway(['import', 'stations', 'stations.ndjson'], { folder: folder.path });
    const imports = join(folder.path, 'data', 'imports');
    await expect.poll(() => readdir(imports).catch(() => []), { timeout: 20_000 }).not.toEqual([]);
    expect(await command.stop('SIGINT')).toBe(1);
    expect(command.stderr).toContain('stopped: run the same command again to go on');
  });
});
