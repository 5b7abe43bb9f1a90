/** How the table is printed: all text in this many points, dishes one below the other; `dense`: 9 points, one after the other. */
export type PrintFit = 13 | 12 | 11 | 10 | 9 | 'dense';

const SIZES = [13, 12, 11, 10, 9] as const;

// A4 landscape with margins of 10 mm, less what is above the table.
const WIDTH_MM = 277;
const HEIGHT_MM = 152;
const MEAL_COLUMN_MM = 14;
const PADDING_MM = 3;
const MM_PER_POINT = 0.3528;
const LINE_HEIGHT = 1.35;

const HALF_WIDTH = /[ -\u02ff]/;

/** Width of a text in units of its size. */
function widthOf(text: string): number {
  let width = 0;
  for (const sign of text) width += HALF_WIDTH.test(sign) ? 0.55 : 0.95;
  return width;
}

/**
 * The largest print in which a table fits one page.
 *
 * @param rows of cells of lines
 */
export function printFit(rows: readonly (readonly (readonly string[])[])[]): PrintFit {
  const columns = Math.max(1, ...rows.map((row) => row.length));
  const cellMm = (WIDTH_MM - MEAL_COLUMN_MM) / columns - PADDING_MM;
  const heightMm = (points: number): number => {
    const unitMm = points * MM_PER_POINT;
    const linesOf = (text: string): number => Math.ceil((widthOf(text) * unitMm) / cellMm);
    const cellLines = (cell: readonly string[]): number =>
      cell.reduce((sum, text) => sum + linesOf(text) + 0.15, 0);
    return rows.reduce(
      (sum, row) => sum + Math.max(1, ...row.map(cellLines)) * unitMm * LINE_HEIGHT + PADDING_MM,
      0,
    );
  };
  return SIZES.find((points) => heightMm(points) <= HEIGHT_MM) ?? 'dense';
}
