/** Numbers from 0 to below 1 from a printed seed; `SEED=<number>` gives those of another run again. */
export function seededRandom(): () => number {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  process.stdout.write(`seed ${seed}\n`);
  let state = seed;
  return () => {
    // A step of a 32-bit counter, and a mix of its bits (splitmix32).
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}
