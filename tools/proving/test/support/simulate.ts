import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

const FOLDER = resolve(import.meta.dirname, '../../simulation');

export interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Runs a program of the simulation to its end. @param file from its folder */
export function simulate(file: string, ...args: readonly string[]): Promise<Outcome> {
  const options = { maxBuffer: 256 * 1_048_576 };
  return new Promise((done) => {
    const program = ['--conditions=workspace-source', resolve(FOLDER, file), ...args];
    execFile(process.execPath, program, options, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : 1, output: stdout + stderr }),
    );
  });
}

const MUTANT_SEEDS = 1_000;

/** The first seed that shows a mutant, or the output of the hunt when none does. */
export async function huntMutant(name: string): Promise<number | string> {
  const { output } = await simulate('mutants/hunt.ts', name, String(MUTANT_SEEDS));
  try {
    const found = JSON.parse(output) as { readonly seed: number } | null;
    return found?.seed ?? `not within ${MUTANT_SEEDS} seeds`;
  } catch {
    return output;
  }
}
