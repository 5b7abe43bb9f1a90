/** The slope of a straight line, and its standard error. */
export interface Slope {
  readonly slope: number;
  readonly error: number;
}

/** Of the straight line with the least squares. */
export function slopeOf(points: readonly (readonly [number, number])[]): Slope {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const sumXX = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / sumXX;
  const residues = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  return { slope, error: Math.sqrt(residues / (points.length - 2) / sumXX) };
}

/** The two, with two decimals where they are small. */
export const slopeText = ({ slope, error }: Slope): string =>
  `${slope.toFixed(slope < 100 ? 2 : 0)} ± ${error.toFixed(slope < 100 ? 2 : 0)}`;
