/** What all servers hold and send. */
export interface Point {
  readonly id: string;
  readonly value: number;
  readonly note: string;
}

export const pointOf = (id: number, value: number): Point => ({
  id: String(id),
  value,
  note: 'x'.repeat(180),
});

/** Which of `rows` points gets a value: each a different one until all have had one. */
export const idOf = (value: number, rows: number): number => (value * 7_919) % rows;
