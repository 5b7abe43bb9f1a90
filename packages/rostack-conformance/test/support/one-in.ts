/** One in `every`, spread over the list: a night tries them all. */
export const oneIn = <T>(every: number, all: readonly T[]): readonly T[] =>
  all.filter((_, index) => index % every === 0);
