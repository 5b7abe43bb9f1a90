import { readFileSync } from 'node:fs';
import type { Reading } from './run-reader.ts';

const TICK_MS = 10;

/** Processor time of the processes that this one has started and waited for. */
function childrenCpuMs(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

/** Prints the time and memory that a reading in this process took. @param read returns how many rows it has read */
export async function measureReading(read: () => Promise<number>): Promise<void> {
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  const rows = await read();
  const elapsedMs = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuMs = (user + system) / 1_000 + childrenCpuMs();
  const residentMiB = process.resourceUsage().maxRSS / 1_024;
  process.stdout.write(JSON.stringify({ rows, elapsedMs, cpuMs, residentMiB } satisfies Reading));
}
