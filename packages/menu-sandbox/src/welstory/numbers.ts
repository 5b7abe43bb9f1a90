/** The operator writes every number as text, with thousands commas. */
export function toText(value: number, known = true): string {
  return known ? value.toLocaleString('en-US', { maximumFractionDigits: 1 }) : '0';
}
