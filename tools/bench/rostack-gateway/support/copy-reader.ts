/** The bare peer of a first sync: `COPY ... TO STDOUT` by psql, split into lines, each parsed. Bodies hold no backslash. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { measureReading } from './measure-reading.ts';

const { url, table } = JSON.parse(process.argv[2] ?? '') as { readonly url: string; readonly table: string };

await measureReading(async () => {
  const psql = spawn('psql', [url, '-qAtc', `copy ${table} (body) to stdout`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(psql, 'exit');
  let rows = 0;
  let rest = '';
  psql.stdout.setEncoding('utf8');
  for await (const chunk of psql.stdout as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      JSON.parse(line);
      rows += 1;
    }
  }
  await ended;
  return rows;
});
