/**
 * The side dishes of a course: separated by commas, `<br>` or `||`.
 * A comma inside parentheses belongs to the dish: "김치(배추,고춧가루)" is one.
 */
export function splitSides(sides: string): readonly string[] {
  const lines = /[<|]/.test(sides) ? sides.split(/<br\s?\/?>|\|\|/i) : [sides];
  const dishes: string[] = [];
  for (const line of lines) {
    for (const part of splitAtCommas(line)) {
      const dish = part.trim();
      if (dish !== '') dishes.push(dish);
    }
  }
  return dishes;
}

function splitAtCommas(line: string): readonly string[] {
  if (!line.includes('(')) return line.split(',');
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at];
    if (sign === '(') depth += 1;
    else if (sign === ')') depth = Math.max(0, depth - 1);
    else if (sign === ',' && depth === 0) {
      parts.push(line.slice(from, at));
      from = at + 1;
    }
  }
  // A parenthesis that never closes says nothing about the commas after it.
  return depth > 0 ? line.split(',') : [...parts, line.slice(from)];
}
