import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** What it took a process to read this many rows. */
export interface Reading {
  readonly rows: number;
  /** From its first request to its last row. */
  readonly elapsedMs: number;
  /** Processor time of the process, and of the children that it waited for, in the same time. */
  readonly cpuMs: number;
  /** Its peak memory. */
  readonly residentMiB: number;
}

/** Runs a file of this folder as a separate process, which prints a `Reading`. @param plan its argument, as JSON */
export async function runReader(file: string, plan: object): Promise<Reading> {
  const flags = (process.env['READER_NODE_OPTIONS'] ?? '').split(' ').filter(Boolean);
  const argv = [...flags, file, JSON.stringify(plan)];
  const child = spawn(process.execPath, argv, {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${file} ended with code ${code}`);
  return JSON.parse(printed) as Reading;
}
