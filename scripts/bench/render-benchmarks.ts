import type { HistoryLine } from './history.ts';
import { type Latest, latestOf } from './latest.ts';
import { type Row, rows, type Unit } from './rows.ts';
import { table } from './table.ts';

/** The document that `pnpm bench --record` writes. */
export const BENCHMARKS = 'docs/benchmarks.md';

const HEAD = `# Benchmarks

What was measured last. \`pnpm bench --record NAME...\` runs the benchmarks whose path contains a NAME, adds their figures
to [benchmarks.jsonl](benchmarks.jsonl) and writes this page from it; that file has every run, with machine, date and
commit. A line of it with \`before\` was measured with code that a decision has replaced since.

Ours and the peer run interleaved in one process or in alternating rounds; a figure is the median of the rounds, and a
ratio says ours to the peer's. A row with several benchmarks shows the least and the most of what each had in its last
run, and the machine and the date of the newest of these runs. **Bold** figures miss their bar. Absolute figures of
equal virtual machines differ by a factor of two, so only ratios compare machines.
[The design note](design/benchmarks.md) says how bars are chosen and what was tried; [how many machines](scale.md) has
what a number of followers needs.
`;

const UNITS: Readonly<Record<Unit, string>> = {
  ratio: '',
  ms: ' ms',
  s: ' s',
  us: ' us',
  mib: ' MiB',
  bytes: ' bytes',
  perSecond: ' a second',
  core: ' of a core',
};

/** The whole document. */
export function renderBenchmarks(history: readonly HistoryLine[]): string {
  const cells = rows.flatMap((row) => {
    const latest = latestOf(history, row);
    return latest === undefined ? [] : [cellsOf(row, latest)];
  });
  return `${HEAD}\n${table([['benchmark', 'compared with', 'bar', 'latest', 'machine', 'date'], ...cells])}`;
}

function cellsOf({ benchmarks, comparedWith, unit }: Row, latest: Latest): string[] {
  const { least, most, wanted, machine, date } = latest;
  const bar = 'atLeast' in wanted ? `at least ${number(wanted.atLeast)}` : `at most ${number(wanted.atMost)}`;
  const holds = 'atLeast' in wanted ? least >= wanted.atLeast : most <= wanted.atMost;
  const figure = `${least === most ? number(least) : `${number(least)} to ${number(most)}`}${UNITS[unit]}`;
  return [
    `\`${benchmarks}\``,
    comparedWith,
    bar + UNITS[unit],
    holds ? figure : `**${figure}**`,
    machine,
    date,
  ];
}

const number = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 4 });
