import type { HistoryLine } from './history.ts';
import { table } from './table.ts';

/** Servers that did the same work: what it was, and whose figures are where. */
interface Contest {
  readonly work: string;
  readonly servers: readonly Server[];
}

interface Server {
  readonly name: string;
  /** The benchmarks that have its figures: `peers/zero/20-followers`. */
  readonly benchmarks: string;
  readonly side: 'ours' | 'peer';
}

const attached = (work: string, benchmarks: string): Contest => ({
  work,
  servers: [
    { name: '**rostack**', benchmarks, side: 'ours' },
    { name: '[Zero]', benchmarks, side: 'peer' },
  ],
});

const CONTESTS: readonly Contest[] = [
  attached('a table of 10,000 rows, 20 followers', 'peers/zero/20-followers'),
  attached('a table of 100,000 rows, one follower', 'peers/zero/one-follower'),
  {
    work: 'a program publishes, 10,000 records, 20 followers',
    servers: [
      { name: '**rostack**, SQLite', benchmarks: 'peers/jetstream/sqlite', side: 'ours' },
      { name: '**rostack**, PostgreSQL', benchmarks: 'peers/jetstream/postgresql', side: 'ours' },
      { name: '[JetStream], a bucket', benchmarks: 'peers/jetstream/sqlite', side: 'peer' },
    ],
  },
];

/** The columns: the benchmark of each, how its figures are called after `ours` and `peer`, and their unit. */
const FIGURES = [
  ['live after', 'live', 'S', 's'],
  ['p50', 'p50', 'Ms', 'ms'],
  ['p99', 'p99', 'Ms', 'ms'],
  ['processor', 'processor', 'Cores', 'of a core'],
  ['memory', 'memory', 'Mib', 'MiB'],
] as const;

/** The versions of the peers, by the benchmarks that have their figures. */
const VERSIONS: readonly (readonly [benchmarks: string, version: string])[] = [
  ['peers/zero/', 'Zero 1.9.0'],
  ['peers/jetstream/', 'nats-server 2.9.10 with the client 3.4.0'],
  ['peers/postgraphile/', 'PostGraphile 5.1.5'],
];

function introduction(benchmarks: readonly string[]): string {
  const versions = VERSIONS.filter(([begin]) => benchmarks.some((each) => each.startsWith(begin)));
  const names = new Intl.ListFormat('en').format(versions.map(([, version]) => version));
  return `Others beside us on one machine, as they are published: ${names}. \`pnpm bench peers\` does the same on yours ([what is fair in it, and what is not](design/benchmarks.md#beside-others)):`;
}

/** What is said of a benchmark with its figures. */
const SENTENCES: readonly (readonly [benchmark: string, text: string])[] = [
  [
    'peers/zero/ready',
    'Until clients can connect to a table of 100,000 rows it takes {oursS} s, Zero {peerS} s, and `COPY` of the same rows into a second table {copyS} s.',
  ],
  [
    'peers/postgraphile/list/rate',
    'Different lists of 25 to 74 of 100,000 rows, 32 connections: {oursPerSecond} a second and {oursCpuUs} us of processor for each, [PostGraphile] {peerPerSecond} and {peerCpuUs} us.',
  ],
];

/** What was measured last of us and of others by turns, and on what machine; empty where nothing was. */
export function renderPeers(history: readonly HistoryLine[]): string {
  const lastOfEach = new Map(
    history
      .filter(({ before, benchmark }) => before === undefined && benchmark.startsWith('peers/'))
      .map((line) => [line.benchmark, line]),
  );
  const last = [...lastOfEach.values()].at(-1);
  if (last === undefined) return '';
  const figureOf = (benchmark: string, name: string): string => {
    const figure = lastOfEach.get(benchmark)?.figures[name];
    return figure === undefined ? '' : figure.toLocaleString('en', { maximumSignificantDigits: 3 });
  };
  const rows = CONTESTS.flatMap(({ work, servers }) =>
    servers
      .filter(({ benchmarks }) => lastOfEach.has(`${benchmarks}/p50`))
      .map(({ name, benchmarks, side }, index) => [
        index === 0 ? work : '',
        name,
        ...FIGURES.map(
          ([, figure, suffix, unit]) => `${figureOf(`${benchmarks}/${figure}`, side + suffix)} ${unit}`,
        ),
      ]),
  );
  const { machine, date, note } = last;
  const where = [machine, ...(note === undefined ? [] : [note]), date].join(', ');
  const sentences = SENTENCES.filter(([benchmark]) => lastOfEach.has(benchmark)).map(([benchmark, text]) =>
    text.replaceAll(/\{(\w+)\}/g, (_, name: string) => figureOf(benchmark, name)),
  );
  return `\n${wrapped(introduction([...lastOfEach.keys()]))}\n\n${table([['200 changes a second', 'server', ...FIGURES.map(([head]) => head)], ...rows])}\n${wrapped([`Measured by turns (${where}).`, ...sentences].join(' '))}\n`;
}

const MAX_LINE = 120;

/** Lines of at most 120 characters. */
function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= MAX_LINE) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}
