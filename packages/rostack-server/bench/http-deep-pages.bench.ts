// Page 1,000 of a chain beside page 1, and a page of a snapshot after 10,000 more changes beside one of the head; in process.
import { reading, startReadingsServer } from './support/readings.ts';
import { median, report } from './support/rounds.ts';

const ROUNDS = 40;
const PER_ROUND = 50;

await using server = await startReadingsServer();

async function pageOf(path: string): Promise<string | undefined> {
  const body = (await (await server.fetch(path)).json()) as { page: { next_cursor: string | null } };
  return body.page.next_cursor ?? undefined;
}

let limit = 0;
/** Time in ms of one page; the limit changes by one each time, so that no page comes out of memory. */
async function time(path: string): Promise<number> {
  const started = performance.now();
  for (let i = 0; i < PER_ROUND; i++) {
    const response = await server.fetch(`${path}&limit=${40 + (limit++ % 20)}`);
    if (response.status !== 200 || (await response.arrayBuffer()).byteLength < 1_000)
      throw new Error(`no page at ${path}`);
  }
  return (performance.now() - started) / PER_ROUND;
}

async function compareTimes(first: string, second: string): Promise<{ ratio: number; note: string }> {
  await time(first);
  await time(second);
  const times = { first: [] as number[], second: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    times.first.push(await time(first));
    times.second.push(await time(second));
  }
  const ratios = times.second.map((value, round) => value / (times.first[round] ?? Number.NaN));
  const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const note = `${median(times.second).toFixed(3)} ms beside ${median(times.first).toFixed(3)} ms, rounds ${spread}`;
  return { ratio: median(ratios), note };
}

const first = '/api/readings?sort=/altitude';
let cursor: string | undefined;
let early: string | undefined;
for (let page = 1; page < 1_000; page++) {
  cursor = await pageOf(`${first}&limit=100${cursor === undefined ? '' : `&cursor=${cursor}`}`);
  if (page === 1) early = cursor;
}
const deep = await compareTimes(`${first}&cursor=${early}`, `${first}&cursor=${cursor}`);
report('http-deep-page', { ...deep, bar: 1.2, want: 'at most' });

for (let start = 0; start < 10_000; start += 500) {
  const records = Array.from({ length: 500 }, (_, index) => reading((start + index) * 7, 'changed'));
  await server.store.apply(records.map((record) => ({ op: 'put', resource: 'readings', record })));
}
const fresh = await pageOf(`${first}&limit=100`);
const old = await compareTimes(`${first}&cursor=${fresh}`, `${first}&cursor=${early}`);
report('http-old-snapshot', { ...old, bar: 2, want: 'at most' });
