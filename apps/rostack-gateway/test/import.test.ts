import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Store, StoreUnavailableError } from 'rostack-store';
import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { streamInput } from '../src/import/import-file.ts';
import { RejectsFile } from '../src/import/rejects-file.ts';
import { idsOf, line, lines, openStations, runImport } from './support/importing.ts';

describe('an import', () => {
  test('writes the good lines and reports the refused ones with line and reason', async () => {
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

  test('refuses what would not be kept as it is written, with its place', async () => {
    await using folder = await temporaryFolder();
    await using store = await openStations();
    const rejects = new RejectsFile(join(folder.path, 'rejects.ndjson'));
    const content = [
      '{"id":"a","height":9007199254740993}',
      '{"id":"b","height":1,"place":{"lat":0.10000000000000000555}}',
      '{"id":"c","height":1e400}',
      '{"id":"d","height":1,"height":2}',
      '{"id":"e","height":1,"place":{"lat":1,"l\\u0061t":1}}',
      '{"id":"f","height":1,"__proto__":1,"__proto__":1}',
      '{"id":"g","height":1.0e2}',
    ].join('\n');
    const report = await runImport(store, content, { rejects });
    await rejects[Symbol.asyncDispose]();
    expect(report).toMatchObject({ counts: { lines: 7, created: 1, refused: 6 } });
    const refused = (await readFile(join(folder.path, 'rejects.ndjson'), 'utf8')).trim().split('\n');
    const digits = expect.stringContaining('has more digits than a JSON number keeps');
    const twice = expect.stringContaining('is repeated');
    expect(refused.map((entry) => JSON.parse(entry) as unknown)).toMatchObject([
      { line: 1, code: 'record_invalid', pointer: '/height', message: digits },
      { line: 2, code: 'record_invalid', pointer: '/place/lat', message: digits },
      { line: 3, code: 'record_invalid', pointer: '/height', message: expect.stringContaining('the range') },
      { line: 4, code: 'record_invalid', pointer: '/height', message: twice },
      { line: 5, code: 'record_invalid', pointer: '/place/lat', message: twice },
      { line: 6, code: 'record_invalid', pointer: '/__proto__', message: twice },
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

  test('writes long lines a few at a time', async () => {
    await using store = await openStations();
    const line = (index: number) => `{"id":"s${index}","height":1${' '.repeat(1_000_000)}}\n`;
    const told: number[] = [];
    await runImport(store, Array.from({ length: 9 }, (_, index) => line(index)).join(''), {
      onProgress: ({ lines: count }) => told.push(count),
    });
    expect(told).toEqual([5, 9]);
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

  test('is refused when the file is cut off within a quoted cell, whatever else was asked for', async () => {
    await using store = await openStations();
    await runImport(store, lines(5));
    const content = 'id,height\ns0,1\ns1,"2\ns2,3\n';
    const options = { format: { kind: 'csv', delimiter: ',' } as const };
    const report = await runImport(store, content, { ...options, deleteMissing: { despiteRefused: true } });
    expect(report).toMatchObject({ counts: { refused: 1 }, deleted: undefined, notDeleted: 'cut_off' });
    expect(await idsOf(store.source('stations'))).toHaveLength(5);
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
