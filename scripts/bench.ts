/**
 * Runs benchmarks and compares their ratios with the bars: `pnpm bench` runs all, `pnpm bench NAME...` those whose path in `tools/bench`
 * contains a NAME.
 * Each result is one JSON line `{bench, ratio, bar, want, holds}`; the exit code is 1 if a bar is missed or a benchmark fails.
 * `--record` adds the results to docs/benchmarks.jsonl and writes the tables of the documents; `--history FILE` only adds them to FILE.
 */
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { HISTORY, historyLines, type Result, readHistory } from './bench/history.ts';
import { BENCHMARKS, renderBenchmarks } from './bench/render-benchmarks.ts';
import { COMPARISON, withSpeeds } from './bench/render-speed.ts';
import { root } from './run.ts';

const { values, positionals: names } = parseArgs({
  options: { history: { type: 'string' }, record: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const folder = join(root, 'tools/bench');
const files = globSync('*/*.bench.ts', { cwd: folder })
  .filter((file) => names.length === 0 || names.some((name) => file.includes(name)))
  .sort();

if (files.length === 0) {
  console.error(`No benchmark matches ${names.join(', ')}.`);
  process.exit(1);
}

const [load = 0] = loadavg();
const date = new Date().toISOString().slice(0, 10);
const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, Node ${process.versions.node}`;
console.log(`machine: ${machine}`);
if (load > 0.5) console.log(`note: the machine is not idle (load ${load.toFixed(2)}); expect noise`);

const results: Result[] = [];
let failed = false;
/** The process group of the benchmark under way: it and the servers that it has started. */
let group: number | undefined;

// Also when nobody reads the output any more: what is left behind would take a core from all that is measured later.
process.on('exit', () => {
  if (group !== undefined) process.kill(-group, 'SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

for (const file of files) {
  console.log(`\n# ${file}`);
  const child = spawn(
    process.execPath,
    ['--conditions=workspace-source', '--expose-gc', join(folder, file)],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    },
  );
  group = child.pid;
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line);
    if (line.startsWith('{"bench"')) results.push(JSON.parse(line) as Result);
  }
  if (child.exitCode === null) await new Promise((done) => child.once('exit', done));
  group = undefined;
  if (child.exitCode !== 0) failed = true;
}

const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
const note = load > 0.5 ? { note: `load ${load.toFixed(1)} at the beginning` } : {};
const lines = historyLines(results, { machine, date, commit, ...note }).map((line) => JSON.stringify(line));
for (const file of [values.history ?? [], values.record ? join(root, HISTORY) : []].flat())
  appendFileSync(file, lines.map((line) => `${line}\n`).join(''));
if (values.record) {
  const history = readHistory(root);
  writeFileSync(join(root, BENCHMARKS), renderBenchmarks(history));
  const comparison = join(root, COMPARISON);
  writeFileSync(comparison, withSpeeds(readFileSync(comparison, 'utf8'), history));
}
const missed = results.filter((result) => !result.holds);
console.log(`\n${results.length} results, ${missed.length} below their bar`);
for (const result of missed) console.log(`missed: ${result.bench} ${result.ratio} (bar ${result.bar})`);
process.exit(failed || missed.length > 0 ? 1 : 0);
