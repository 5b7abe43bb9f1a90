import { readdir, readFile } from 'node:fs/promises';

/** A process and those that it has made. */
export async function processesOf(pid: number): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}

export async function residentBytes(pid: number): Promise<number> {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1_024;
}

/** Processor time of all threads that a process has now, in us; finer than what the kernel counts in ticks. */
export async function threadTimeUs(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const times = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0')),
  );
  return times.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1_000, 0);
}
