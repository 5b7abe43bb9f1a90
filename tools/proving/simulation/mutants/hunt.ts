import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MUTANTS, type Mutant } from './mutants.ts';

/** Runs seeds over the product with one mutant in it until one fails: `hunt.ts <mutant> <seeds>`. Prints `{ seed, wrong }` as JSON. */

const ROOT = resolve(import.meta.dirname, '../../../..');
const [name, seeds = '1000'] = process.argv.slice(2);
const mutant = MUTANTS.find((each) => each.name === name);
if (mutant === undefined) throw new Error(`there is no mutant "${name}"`);

const unmet = mutate(mutant);
const { runSeed } = await import('../run-seed.ts');

let found: { readonly seed: number; readonly wrong: string } | undefined;
const firstSeed = mutant.firstSeed ?? 1;
for (let seed = firstSeed; seed < firstSeed + Number(seeds) && found === undefined; seed += 1) {
  const { wrong } = await runSeed(seed);
  if (wrong[0] !== undefined) found = { seed, wrong: wrong[0] };
}
// Some files are loaded by the first seed that needs them.
const missed = unmet();
if (missed.length > 0) throw new Error(`the mutant "${mutant.name}" meets nothing in ${missed.join(', ')}`);
process.stdout.write(`${JSON.stringify(found ?? null)}\n`);

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
