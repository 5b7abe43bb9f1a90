import { text } from '../operator/lenient.ts';

const MAIN: ReadonlySet<string> = new Set(['Y', '메인']);

/** Whether `typicalMenu` marks the row that names the course: `Y` at some restaurants, `메인` at others. */
export function isMainDish(typicalMenu: unknown): boolean {
  const mark = text(typicalMenu);
  return mark !== undefined && MAIN.has(mark.normalize('NFKC').toUpperCase());
}
