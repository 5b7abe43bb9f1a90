/**
 * Runs benchmarks and compares their ratios with the bars: `pnpm bench` runs all, `pnpm bench NAME...` those whose path contains a NAME.
 * Each result is one JSON line `{bench, ratio, bar, want, holds}`; the exit code is 1 if a bar is missed or a benchmark fails.
 * `--history FILE` adds the run to a file, as one JSON line with its time, commit and machine.
 */
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, globSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { root } from './run.ts';

interface Result {
  readonly bench: string;
  readonly ratio: number;
  readonly bar: number;
  readonly holds: boolean;
}

const { values, positionals: names } = parseArgs({
  options: { history: { type: 'string' } },
  allowPositionals: true,
});
const files = globSync('{packages,apps}/*/bench/*.bench.ts', { cwd: root })
  .filter((file) => names.length === 0 || names.some((name) => file.includes(name)))
  .sort();

if (files.length === 0) {
  console.error(`No benchmark matches ${names.join(', ')}.`);
  process.exit(1);
}

const [load = 0] = loadavg();
const startedAt = new Date().toISOString();
const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, Node ${process.versions.node}`;
console.log(`machine: ${machine}`);
if (load > 0.5) console.log(`note: the machine is not idle (load ${load.toFixed(2)}); expect noise`);

const results: Result[] = [];
let failed = false;

for (const file of files) {
  console.log(`\n# ${file}`);
  const child = spawn(process.execPath, ['--conditions=workspace-source', '--expose-gc', file], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line);
    if (line.startsWith('{"bench"')) results.push(JSON.parse(line) as Result);
  }
  if (child.exitCode === null) await new Promise((done) => child.once('exit', done));
  if (child.exitCode !== 0) failed = true;
}

if (values.history !== undefined) {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  appendFileSync(values.history, `${JSON.stringify({ startedAt, commit, machine, results })}\n`);
}
const missed = results.filter((result) => !result.holds);
console.log(`\n${results.length} results, ${missed.length} below their bar`);
for (const result of missed) console.log(`missed: ${result.bench} ${result.ratio} (bar ${result.bar})`);
process.exit(failed || missed.length > 0 ? 1 : 0);
