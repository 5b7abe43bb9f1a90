// ES2025 has these as methods of Set; browsers of 2024 have not.
export const union = <T>(left: ReadonlySet<T>, right: ReadonlySet<T>): ReadonlySet<T> =>
  new Set([...left, ...right]);

export const intersection = <T>(left: ReadonlySet<T>, right: ReadonlySet<T>): ReadonlySet<T> =>
  new Set([...left].filter((item) => right.has(item)));

export const difference = <T>(left: ReadonlySet<T>, right: ReadonlySet<T>): ReadonlySet<T> =>
  new Set([...left].filter((item) => !right.has(item)));
