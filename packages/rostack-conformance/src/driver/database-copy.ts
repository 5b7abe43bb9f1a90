import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KitError } from '../error/kit-error.ts';
import type { GatewayProgram } from './gateway-program.ts';

/** A copy of the gateway's database, made and put back while no gateway runs. */
export interface DatabaseCopy extends AsyncDisposable {
  /** Makes the copy, in the place of the one before. */
  readonly save: () => Promise<void>;
  /** Puts it back. */
  readonly restore: () => Promise<void>;
}

/** A copy of a SQLite database, by the commands of the gateway; it is deleted at the end. */
export function sqliteCopy(program: GatewayProgram): DatabaseCopy {
  let folder: string | undefined;
  const clear = async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    folder = undefined;
  };
  return {
    async save() {
      await clear();
      folder = await mkdtemp(join(tmpdir(), 'rostack-conformance-'));
      await program.run(['backup', join(folder, 'saved.sqlite')]);
    },
    async restore() {
      if (folder === undefined) throw new KitError('driver_failed', 'nothing was saved');
      await program.run(['restore', '--move-aside', join(folder, 'saved.sqlite')]);
    },
    [Symbol.asyncDispose]: clear,
  };
}

/** A copy by commands of the shell, for whatever else the records are in. */
export function copyByCommands(
  program: GatewayProgram,
  commands: { readonly save: string; readonly restore: string },
): DatabaseCopy {
  return {
    save: () => program.runInShell(commands.save),
    restore: () => program.runInShell(commands.restore),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
