import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtProgram } from 'test-support/built-program';

const program = builtProgram('apps/rostack-gateway/dist/cli/main.js');

export interface SpawnSurroundings {
  /** Working directory. */
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Of Node itself. @default none */
  readonly nodeOptions?: readonly string[];
}

/** The program itself, in a process of its own. */
export class GatewayProcess implements AsyncDisposable {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';

  constructor(argv: readonly string[], { folder, environment = {}, nodeOptions = [] }: SpawnSurroundings) {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    this.child = spawn(process.execPath, [...nodeOptions, program, ...argv], {
      cwd: folder,
      env: { PATH, NODE_COMPILE_CACHE, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      this.stdout += chunk;
    });
    this.child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      this.stderr += chunk;
    });
  }

  /** Waits for a text that the program writes to one of its outputs; fails when it ends before. */
  async prints(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.stdout) ?? pattern.exec(this.stderr);
      if (match !== null) return match;
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        throw new Error(`the program ended without ${String(pattern)}: ${this.stderr}`);
      }
      await new Promise<void>((done) => {
        const next = () => {
          this.child.stdout?.off('data', next);
          this.child.stderr?.off('data', next);
          this.child.off('close', next);
          done();
        };
        this.child.stdout?.on('data', next);
        this.child.stderr?.on('data', next);
        this.child.on('close', next);
      });
    }
  }

  /** Exit code, once everything that it wrote has arrived. */
  async exited(): Promise<number | null> {
    if (this.child.stdout?.closed !== true || this.child.exitCode === null) await once(this.child, 'close');
    return this.child.exitCode;
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.exited();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await this.stop('SIGKILL');
  }
}

/** Starts `rostack-gateway` as a user does; it has to be built. */
export function spawnGateway(argv: readonly string[], surroundings: SpawnSurroundings): GatewayProcess {
  return new GatewayProcess(argv, surroundings);
}
