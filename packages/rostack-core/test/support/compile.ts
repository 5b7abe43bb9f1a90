import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const packageFolder = fileURLToPath(new URL('../..', import.meta.url));

/** The compiler of this repository. */
export const TSC = require.resolve('typescript/package.json').replace('package.json', 'bin/tsc');

/** What the compiler says of a program. */
export interface Compiled {
  /** `file(line,column): error TS…: message`, with the lines that belong to it. */
  readonly errors: readonly string[];
  readonly instantiations: number;
  /** Of the processor, which a busy machine changes less than the time by the clock. */
  readonly cpuTimeMs: number;
}

/** A program of somebody who has installed this package. */
export interface Program {
  /** By name. */
  readonly files: Readonly<Record<string, string>>;
  /** Folders of installed packages by name. @default zod as this package has it */
  readonly packages?: Readonly<Record<string, string>>;
  readonly compilerOptions?: Readonly<Record<string, unknown>>;
  /** @default TSC */
  readonly tsc?: string;
}

/** The folder of a package that this one depends on, maybe for its tests alone. */
export const installed = (name: string): string => dirname(require.resolve(`${name}/package.json`));

/** The newest compiler that is written in JavaScript, which many still have. */
export const TSC_5 = `${installed('typescript-5')}/bin/tsc`;

/** Compiles a program against the built declaration files of this package. */
export async function compile({ files, packages, compilerOptions, tsc = TSC }: Program): Promise<Compiled> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'rostack-compile-'));
  try {
    await mkdir(join(folder, 'node_modules'));
    const links = { zod: installed('zod'), ...packages, 'rostack-core': packageFolder };
    for (const [name, target] of Object.entries(links)) {
      await symlink(target, join(folder, 'node_modules', name));
    }
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const options = {
      target: 'es2022',
      module: 'nodenext',
      types: [],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      ...compilerOptions,
    };
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: Object.keys(files) }),
    );
    return read(await run(tsc, folder));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function run(tsc: string, folder: string): Promise<string> {
  const flags = ['--pretty', 'false', '--extendedDiagnostics', '--noErrorTruncation'];
  // `time` of bash counts the processor's time of all processes below it.
  const script = 'TIMEFORMAT="CPU time: %U"; time "$@"';
  const args = ['-c', script, 'bash', process.execPath, tsc, '-p', '.', ...flags];
  return new Promise((resolve, reject) => {
    execFile('bash', args, { cwd: folder, timeout: 60_000 }, (error, stdout, stderr) => {
      if (error === null || typeof error.code === 'number') resolve(`${stdout}\n${stderr}`);
      else reject(error);
    });
  });
}

function read(output: string): Compiled {
  const lines = output.split('\n');
  const errors: string[] = [];
  for (const line of lines) {
    if (/^\S.*: error TS\d+:|^error TS\d+:/.test(line)) errors.push(line);
    else if (line.startsWith('  ') && errors.length > 0) errors.push(`${errors.pop()}\n${line}`);
  }
  const figure = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(output)?.[1]);
  return {
    errors,
    instantiations: figure('Instantiations'),
    cpuTimeMs: figure('CPU time') * 1000,
  };
}
