import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KitError } from '../base/kit-error.ts';
import type { GatewayProgram } from './gateway-program.ts';

/** A copy of the gateway's database, made and restored while no gateway runs. */
export interface DatabaseCopy extends AsyncDisposable {
  /** Makes the copy, replacing the previous one. */
  readonly save: () => Promise<void>;
  /** Restores the copy. */
  readonly restore: () => Promise<void>;
}

/** A copy of a SQLite database, made with the gateway's own commands and deleted at the end. */
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

/** A copy made with shell commands, for any other place where the records may be. */
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
