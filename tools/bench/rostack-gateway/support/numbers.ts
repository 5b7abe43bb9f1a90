/** The results of a function for 0, 1, 2 and so on. */
export const times = <T>(count: number, make: (number: number) => T): T[] =>
  Array.from({ length: count }, (_, number) => make(number));
