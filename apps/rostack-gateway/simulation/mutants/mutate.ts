import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Mutant } from './mutants.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');

/**
 * Puts a mutant into every module that is loaded from now on. Returns the edits that have not met their file yet.
 * @throws Error while a module is loaded, when an edit no longer fits it
 */
export function mutate({ name, edits }: Mutant): () => readonly string[] {
  const waiting = new Map(edits.map((edit) => [edit, pathToFileURL(resolve(ROOT, edit.file)).href]));
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const here = [...waiting].filter(([, href]) => href === url).map(([edit]) => edit);
      if (here.length === 0) return loaded;
      let source = textOf(loaded.source);
      for (const edit of here) {
        const { file, find, replace } = edit;
        const count = source.split(find).length - 1;
        if (count !== 1) throw new Error(`the mutant "${name}" finds ${count} times in ${file}: ${find}`);
        source = source.replace(find, () => replace);
        waiting.delete(edit);
      }
      return { ...loaded, source };
    },
  });
  return () => [...waiting.keys()].map(({ file, find }) => `${file}: ${find}`);
}

function textOf(source: unknown): string {
  if (typeof source === 'string') return source;
  if (source instanceof Uint8Array) return Buffer.from(source).toString('utf8');
  throw new TypeError('a module has no source text');
}
