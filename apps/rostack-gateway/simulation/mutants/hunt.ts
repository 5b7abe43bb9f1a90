/** Runs seeds over the product with one mutant in it until one fails: `hunt.ts <mutant> <seeds>`. Prints `{ seed, wrong }` as JSON. */

import { MUTANTS } from './mutants.ts';
import { mutate } from './mutate.ts';

const [name, seeds = '1000'] = process.argv.slice(2);
const mutant = MUTANTS.find((each) => each.name === name);
if (mutant === undefined) throw new Error(`there is no mutant "${name}"`);

const unmet = mutate(mutant);
const { runSeed } = await import('../run-seed.ts');
const missed = unmet();
if (missed.length > 0) throw new Error(`the mutant "${mutant.name}" meets nothing in ${missed.join(', ')}`);

let found: { readonly seed: number; readonly wrong: string } | undefined;
for (let seed = 1; seed <= Number(seeds) && found === undefined; seed += 1) {
  const { wrong } = await runSeed(seed);
  if (wrong[0] !== undefined) found = { seed, wrong: wrong[0] };
}
process.stdout.write(`${JSON.stringify(found ?? null)}\n`);
