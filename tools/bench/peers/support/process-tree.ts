import { readdir, readFile } from 'node:fs/promises';

const TICK_US = 10_000;

/** Processor time and memory of a process and all its descendants. */
export interface TreeUsage {
  /** Also of descendants that have ended, in us. */
  readonly cpuUs: number;
  /** Pages that several processes share count once (proportional set size). */
  readonly bytes: number;
}

export async function treeUsage(pid: number): Promise<TreeUsage> {
  const pids = await treeOf(pid);
  const all = await Promise.all(pids.map(usageOf));
  return {
    cpuUs: all.reduce((sum, { cpuUs }) => sum + cpuUs, 0),
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Ends a process and all its descendants. */
export async function killTree(pid: number): Promise<void> {
  const pids = await treeOf(pid);
  for (const each of pids) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

async function treeOf(pid: number): Promise<readonly number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(threads.map((thread) => textOf(`/proc/${pid}/task/${thread}/children`)));
  const children = lists.join(' ').split(' ').filter(Boolean).map(Number);
  return [pid, ...(await Promise.all(children.map(treeOf))).flat()];
}

async function usageOf(pid: number): Promise<TreeUsage> {
  const stat = await textOf(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Its own user and system time, then those of the children that it has waited for.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  const [, kib = '0'] = /^Pss:\s+(\d+) kB$/m.exec(await textOf(`/proc/${pid}/smaps_rollup`)) ?? [];
  return { cpuUs: ticks * TICK_US, bytes: Number(kib) * 1_024 };
}

/** Empty for a process that has ended in the meantime. */
const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');
