import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { interruption } from '../support/interruption.ts';
import type { FollowersRequest, Seen } from './follow-for-parent.ts';

const MAX_WAIT_MS = 120_000;

/** Followers of one kind, in a process of their own. */
export class Followers implements AsyncDisposable {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Starts the process; nothing is followed yet. @param file of the folder of followers */
  static async start(file: string): Promise<Followers> {
    const child = fork(new URL(`./${file}`, import.meta.url), {
      execArgv: ['--conditions=workspace-source'],
    });
    const followers = new Followers(child);
    try {
      await followers.#answer();
      return followers;
    } catch (error) {
      await followers[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Resolves when all of them are live. */
  async open(followers: number, plan: object): Promise<void> {
    await this.#ask({ kind: 'open', followers, plan });
  }

  /** Resolves when as many events have come since the start. */
  async until(events: number): Promise<void> {
    await this.#ask({ kind: 'await', events });
  }

  /** What has come since this was asked last. */
  async take(): Promise<Seen> {
    return (await this.#ask({ kind: 'take' })) as Seen;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  #ask(request: FollowersRequest): Promise<unknown> {
    const answer = this.#answer();
    this.#child.send(request);
    return answer;
  }

  async #answer(): Promise<unknown> {
    const ended = new AbortController();
    const signal = AbortSignal.any([ended.signal, interruption, AbortSignal.timeout(MAX_WAIT_MS)]);
    const onExit = (code: number | null) => ended.abort(new Error(`the followers ended with code ${code}`));
    this.#child.once('exit', onExit);
    try {
      const [answer] = (await once(this.#child, 'message', { signal })) as [unknown];
      return answer;
    } catch (cause) {
      throw new Error('the followers did not answer', { cause });
    } finally {
      this.#child.off('exit', onExit);
    }
  }
}
