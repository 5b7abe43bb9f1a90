import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { SinkPlan } from './frame-sink-worker.ts';

/** A process here may have 20,000 files. */
const CONNECTIONS_PER_PROCESS = 10_000;
const FIRST_ADDRESS = 10;

/** Clients that connect and then do nothing, in processes of their own, each with a loopback address and so ports of its own. */
export class ClientProcesses implements AsyncDisposable {
  readonly #processes: ChildProcess[] = [];
  #connections = 0;

  /** Opens the connections of a plan beside those that are open; resolves when all are ready. */
  async open(plan: SinkPlan): Promise<void> {
    for (let opened = 0; opened < plan.connections; opened += CONNECTIONS_PER_PROCESS) {
      const connections = Math.min(CONNECTIONS_PER_PROCESS, plan.connections - opened);
      await this.#openSome({
        ...plan,
        connections,
        localAddress: `127.0.0.${FIRST_ADDRESS + this.#processes.length}`,
        firstNumber: this.#connections,
      });
      this.#connections += connections;
    }
  }

  async #openSome(plan: SinkPlan): Promise<void> {
    const client = spawn(
      process.execPath,
      [
        '--conditions=workspace-source',
        new URL('./idle-clients.ts', import.meta.url).pathname,
        JSON.stringify(plan),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    this.#processes.push(client);
    await Promise.race([
      once(client.stdout, 'data'),
      once(client, 'exit').then(([code]) => Promise.reject(new Error(`clients ended with code ${code}`))),
    ]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#processes) {
      const ended = once(client, 'exit');
      if (client.kill()) await ended;
    }
  }
}
