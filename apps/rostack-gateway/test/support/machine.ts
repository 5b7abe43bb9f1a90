import { temporaryFolder } from 'test-support/temporary-folder';
import { expect } from 'vitest';
import { bearing } from './get.ts';
import { ADMIN, ADMIN_TOKEN, adminOf, createTokenIn, put } from './operating.ts';
import { type RunningGateway, startGateway } from './running-gateway.ts';
import { writeSampleConfig } from './sample-config.ts';

/** Sections of a configuration with so many workers. */
export const workersSections = (workers: number): string =>
  `${ADMIN}\nworkers: ${workers}\nshutdown: { drain_time: 1s }\n`;
/** For a process to start on a busy machine. */
export const PATIENCE_MS = 120_000;
export const MOST_CONNECTIONS = 60;
export const environment = {
  ADMIN_TOKEN,
  ROSTACK__LISTENERS__DATA__CONNECTIONS__MAX_PER_ADDRESS: String(MOST_CONNECTIONS),
  ROSTACK__LIMITS__MAX_CONNECTIONS_PER_ADDRESS: '10',
};

/** A gateway of several workers, as a test sees it. */
export interface Machine extends AsyncDisposable {
  readonly folder: string;
  readonly gateway: RunningGateway;
  readonly token: string;
  readonly admin: string;
}

/** A gateway of several workers, with a token. */
export async function startMachine(sections = '', workers = 2): Promise<Machine> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const config = await writeSampleConfig(folder.path, { sections: workersSections(workers) + sections });
  const token = await createTokenIn(config, environment);
  const gateway = stack.use(await startGateway(folder.path, environment));
  const admin = await adminOf(gateway);
  const held = stack.move();
  return {
    folder: folder.path,
    gateway,
    token,
    admin,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

export async function eventCursor({ gateway, token }: Machine): Promise<string> {
  const { body } = await gateway.get('/api/stations', { headers: bearing(token) });
  return (body as { page: { event_cursor: string } }).page.event_cursor;
}

export interface StartedWorker {
  readonly pid: number;
  readonly worker: number;
  readonly isLead: boolean;
}

/** The workers that have said that they serve, in that order. */
export const startedWorkers = ({ gateway }: Machine): readonly StartedWorker[] =>
  gateway.process.stderr
    .split('\n')
    .filter((line) => line.includes('"worker serves"'))
    .map((line) => JSON.parse(line) as StartedWorker);

export const isRunning = ({ pid }: StartedWorker): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

export async function metricOf({ admin }: Machine, name: string): Promise<number> {
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
  const text = await (await fetch(`${admin}/metrics`, { headers })).text();
  const values = text
    .split('\n')
    .filter((line) => line.startsWith(name) && /^[ {]/.test(line.slice(name.length)));
  return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

/** Puts stations until the admin listener takes them: it is away for a moment when the lead is replaced. */
export async function putAll({ admin }: Machine, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await expect
      .poll(
        () =>
          put(admin, id, 1).then(
            ({ ok }) => ok,
            () => false,
          ),
        { timeout: PATIENCE_MS },
      )
      .toBe(true);
  }
}

export const idsOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);
