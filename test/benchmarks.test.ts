import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type HistoryLine, historyLines, type Result, readHistory } from '../scripts/bench/history.ts';
import { latestOf, range } from '../scripts/bench/latest.ts';
import { BENCHMARKS, renderBenchmarks } from '../scripts/bench/render-benchmarks.ts';
import { renderPeers } from '../scripts/bench/render-peers.ts';
import { COMPARISON, withSpeeds } from '../scripts/bench/render-speed.ts';
import { isOf, rowOf, rows } from '../scripts/bench/rows.ts';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const history = readHistory(root);

describe('the tables', () => {
  test('are what the history says: pnpm bench --record writes them', () => {
    expect(read(BENCHMARKS)).toBe(renderBenchmarks(history));
    expect(read(COMPARISON)).toBe(withSpeeds(read(COMPARISON), history));
  });

  test('are short', () => {
    expect(read(BENCHMARKS).split('\n').length).toBeLessThanOrEqual(120);
  });
});

describe('the table of others', () => {
  const run = { machine: 'a machine', date: '2026-12-01', commit: 'abc', note: 'load 0.7 at the beginning' };
  const lines = (benchmarks: string): HistoryLine[] =>
    Object.entries({ live: 'S', p50: 'Ms', p99: 'Ms', processor: 'Cores', memory: 'Mib' }).map(
      ([name, unit], index) => ({
        benchmark: `${benchmarks}/${name}`,
        figures: { ratio: 0.5, [`ours${unit}`]: index + 1, [`peer${unit}`]: 2 * index + 1000 },
        ...run,
      }),
    );

  test('has what was measured last of us and of others by turns, where and when', () => {
    const earlier = lines('peers/zero/20-followers').map((line) => ({
      ...line,
      figures: { oursMs: 9_999 },
      machine: 'older',
    }));
    const text = renderPeers([...earlier, ...lines('peers/zero/20-followers')]);
    expect(text.slice(text.indexOf('|'))).toBe(`\
| 200 changes a second                 | server      | live after | p50      | p99      | processor       | memory    |
| ------------------------------------ | ----------- | ---------- | -------- | -------- | --------------- | --------- |
| a table of 10,000 rows, 20 followers | **rostack** | 1 s        | 2 ms     | 3 ms     | 4 of a core     | 5 MiB     |
|                                      | [Zero]      | 1,000 s    | 1,000 ms | 1,000 ms | 1,010 of a core | 1,010 MiB |

Measured by turns (a machine, load 0.7 at the beginning, 2026-12-01).
`);
  });

  test('names the versions that the benchmark installs', () => {
    const { dependencies } = JSON.parse(read('tools/bench/peers/package.json')) as {
      dependencies: Record<string, string>;
    };
    const introductionOf = (...benchmarks: readonly string[]) =>
      renderPeers(benchmarks.flatMap(lines)).replaceAll('\n', ' ');
    expect(introductionOf('peers/zero/20-followers')).toContain(
      `published: Zero ${dependencies['@rocicorp/zero']}. `,
    );
    expect(introductionOf('peers/jetstream/sqlite', 'peers/postgraphile/list')).toContain(
      `with the client ${dependencies['@nats-io/kv']} and PostGraphile ${dependencies['postgraphile']}. `,
    );
  });

  test('has ours once for each database beside the one peer of both', () => {
    const table = renderPeers([...lines('peers/jetstream/sqlite'), ...lines('peers/jetstream/postgresql')]);
    expect(table.match(/\*\*rostack\*\*, (SQLite|PostgreSQL) .*2 ms/g)).toHaveLength(2);
    expect(table.match(/\[JetStream\], a bucket .*1,000 ms/g)).toHaveLength(1);
  });

  test('says what attaching and lists take, in lines that are not too long', () => {
    const ready = { benchmark: 'peers/zero/ready', figures: { oursS: 8, peerS: 9, copyS: 1.5 }, ...run };
    const figures = { oursPerSecond: 2_000, oursCpuUs: 400, peerPerSecond: 900, peerCpuUs: 1_001 };
    const list = { benchmark: 'peers/postgraphile/list/rate', figures, ...run };
    const text = renderPeers([...lines('peers/zero/one-follower'), ready, list]);
    const sentences = text.split('\n').filter((line) => !line.startsWith('|'));
    expect(sentences.join(' ')).toContain('it takes 8 s, Zero 9 s, and `COPY` of the same rows');
    expect(sentences.join(' ')).toContain(
      '2,000 a second and 400 us of processor for each, [PostGraphile] 900 and',
    );
    expect(Math.max(...sentences.map(({ length }) => length))).toBeLessThanOrEqual(120);
  });

  test('is left out where nothing was measured, or with code that was replaced since', () => {
    const replaced = lines('peers/zero/20-followers').map((line) => ({ ...line, before: '0200' }));
    expect(renderPeers(replaced)).toBe('');
  });
});

describe('the history', () => {
  test('has a machine, a day and figures with names in each line, and the days ascend', () => {
    const faults = history.filter(
      ({ machine, date, figures }) =>
        machine === '' ||
        !/^\d{4}-\d\d-\d\d$/.test(date) ||
        Object.keys(figures).length === 0 ||
        Object.values(figures).some((figure) => !Number.isFinite(figure)),
    );
    expect(faults).toEqual([]);
    const days = history.map(({ date }) => date);
    expect(days).toEqual(days.toSorted());
  });

  test('names what is in one row, wherever there is a bar, with the same bar in the whole row', () => {
    const barred = new Set(history.flatMap((line) => (line.wanted === undefined ? [] : line.benchmark)));
    const misplaced = [...barred].filter((name) => rows.filter((row) => isOf(row, name)).length !== 1);
    expect(misplaced).toEqual([]);
    for (const row of rows) {
      const wanted = history.flatMap((line) =>
        line.wanted !== undefined && isOf(row, line.benchmark) ? JSON.stringify(line.wanted) : [],
      );
      expect(new Set(wanted).size, row.benchmarks).toBeLessThanOrEqual(1);
    }
  });

  test('has a row for every result that a benchmark prints', () => {
    const files = globSync('tools/bench/*/**/*.ts', { cwd: root, exclude: ['**/node_modules'] })
      .map(read)
      .join('\n');
    const printed = [...files.matchAll(/\b(?:report|compare)\(\s*'([a-z-]+\/[^']+)'/g)].map(
      ([, name = '']) => name,
    );
    expect(printed.length).toBeGreaterThan(5);
    for (const name of printed) expect(() => rowOf(name), name).not.toThrow();
  });
});

describe('a run', () => {
  const run = { machine: 'a machine', date: '2026-12-01', commit: 'abc' };
  const result: Result = {
    bench: 'rostack-store/page-deep-sqlite',
    ratio: 1.1,
    bar: 1.2,
    want: 'at most',
    holds: true,
  };

  test('becomes lines with the unit of the row, and keeps the worst case of a name', () => {
    const results: Result[] = [
      result,
      { ...result, ratio: 1.15 },
      { ...result, ratio: 1.05 },
      {
        bench: 'menu-client/search',
        ratio: 0.7,
        bar: 1,
        want: 'at most',
        holds: true,
        figures: { searches: 3 },
      },
    ];
    expect(historyLines(results, run)).toEqual([
      { benchmark: result.bench, figures: { ratio: 1.15 }, wanted: { atMost: 1.2 }, ...run },
      { benchmark: 'menu-client/search', figures: { ms: 0.7, searches: 3 }, wanted: { atMost: 1 }, ...run },
    ]);
  });

  test('of a benchmark without a row is refused', () => {
    expect(() => historyLines([{ ...result, bench: 'nobody/knows' }], run)).toThrow('scripts/bench/rows.ts');
  });

  test('is what its row shows from then on; older runs and replaced code are left out', () => {
    const row = rowOf(result.bench);
    const line: HistoryLine = {
      benchmark: result.bench,
      figures: { ratio: 1 },
      wanted: { atMost: 1.2 },
      ...run,
    };
    const earlier = { ...line, figures: { ratio: 5 }, date: '2026-11-30' };
    const later = [
      { ...line, figures: { leastRatio: 2, mostRatio: 3 } },
      { ...line, figures: { ratio: 9 }, date: '2026-12-02', before: '0200' },
    ];
    expect(latestOf([earlier, line], row)).toMatchObject({ least: 1, most: 1, date: '2026-12-01' });
    expect(latestOf([earlier, line, ...later], row)).toMatchObject({ least: 2, most: 3 });
    expect(range({ ratio: 1, mostRatio: 2, p99Ms: 4 }, 'ratio')).toEqual([1, 2]);
  });

  test('leaves what other benchmarks of its row had on an earlier day, and gives the row its machine and date', () => {
    const monday: HistoryLine = {
      benchmark: 'menu-mcp/get_restaurant_menu',
      figures: { ratio: 1.2 },
      wanted: { atLeast: 1.5 },
      ...run,
    };
    const tuesday: HistoryLine = {
      ...monday,
      benchmark: 'menu-mcp/search_restaurants',
      figures: { ratio: 2 },
      machine: 'another machine',
      date: '2026-12-02',
    };
    const row = rowOf(monday.benchmark);
    const shown = { wanted: { atLeast: 1.5 }, machine: 'another machine', date: '2026-12-02' };
    expect(latestOf([monday, tuesday], row)).toEqual({ least: 1.2, most: 2, ...shown });
    expect(renderBenchmarks([monday, tuesday])).toContain('**1.2 to 2**');
    const again = { ...monday, figures: { ratio: 1.9 }, date: '2026-12-03' };
    expect(latestOf([monday, tuesday, again], row)).toMatchObject({
      least: 1.9,
      most: 2,
      date: '2026-12-03',
    });
  });
});
