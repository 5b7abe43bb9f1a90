import type { HistoryLine, Wanted } from './history.ts';
import { isOf, type Row } from './rows.ts';

/** What a row shows: the last figures of each of its benchmarks, with the machine and the day of the newest of them. */
export interface Latest {
  readonly least: number;
  readonly most: number;
  readonly wanted: Wanted;
  readonly machine: string;
  readonly date: string;
}

/** Undefined for a row that has never run. */
export function latestOf(history: readonly HistoryLine[], row: Row): Latest | undefined {
  const { unit } = row;
  const lines = history.filter(
    ({ benchmark, figures, before }) =>
      before === undefined && isOf(row, benchmark) && range(figures, unit).length > 0,
  );
  const last = lines.at(-1);
  const wanted = lines.findLast((line) => line.wanted !== undefined)?.wanted;
  if (last === undefined || wanted === undefined) return undefined;
  const lastOfEach = new Map(lines.map((line) => [line.benchmark, line]));
  const figures = [...lastOfEach.values()].flatMap((line) => range(line.figures, unit));
  return {
    least: Math.min(...figures),
    most: Math.max(...figures),
    wanted,
    machine: last.machine,
    date: last.date,
  };
}

/** A figure of this name, or its range: `leastRatio` and `mostRatio`. */
export function range(figures: HistoryLine['figures'], name: string): readonly number[] {
  const end = name.charAt(0).toUpperCase() + name.slice(1);
  return [name, `least${end}`, `most${end}`].flatMap((each) => figures[each] ?? []);
}
