import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A server of GraphQL over a database, in a process of its own. */
export interface PostGraphile extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
}

export async function startPostGraphile(url: string): Promise<PostGraphile> {
  const child = fork(new URL('./postgraphile-server.ts', import.meta.url), [url], {
    execArgv: [],
    env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
  });
  const ended = once(child, 'exit');
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [number];
  if (child.exitCode !== null) throw new Error(`PostGraphile has ended with code ${child.exitCode}`);
  return {
    pid: child.pid ?? 0,
    port: answer,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
