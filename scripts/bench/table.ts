/** A Markdown table, whose first row is its head. */
export function table(cells: readonly (readonly string[])[]): string {
  const [head = []] = cells;
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  return [head, widths.map((width) => '-'.repeat(width)), ...cells.slice(1)].map(line).join('');
}
