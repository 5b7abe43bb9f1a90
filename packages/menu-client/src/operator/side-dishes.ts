const LINES = /<\/?br\s*\/?>|\|\||[\r\n]+/i;
/** Most texts: no other separator, and no parenthesis that one may be in. */
const WITH_COMMAS = /^[^<|\r\n(/]*$/;

/** A side dish as a text names it. */
export interface NamedSide {
  readonly name: string;
  readonly nameEn?: string;
}

/**
 * The side dishes that a text lists: separated by commas, slashes, `<br>`, new lines or `||`. A separator inside
 * parentheses belongs to the dish: "김치(배추,고춧가루)" is one; so does the slash of "T/O", "1/2" and "w/ egg".
 */
export function splitSides(sides: string): readonly string[] {
  const parts = WITH_COMMAS.test(sides) ? sides.split(',') : sides.split(LINES).flatMap(splitLine);
  return parts.map((side) => side.trim()).filter((side) => side !== '');
}

/** The side dishes with their English names, from a text that runs parallel; one of another length says nothing. */
export function pairSides(sides: string, english: string | undefined): readonly NamedSide[] {
  const names = splitSides(sides);
  const namesEn = english === undefined ? [] : splitSides(english);
  if (namesEn.length !== names.length) return names.map((name) => ({ name }));
  return names.map((name, at) => {
    const nameEn = namesEn[at];
    return nameEn === undefined ? { name } : { name, nameEn };
  });
}

function splitLine(line: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at];
    if (sign === '(') depth += 1;
    else if (sign === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0 && separates(line, at)) {
      parts.push(line.slice(from, at));
      from = at + 1;
    }
  }
  // A parenthesis that never closes says nothing about what separates after it.
  return depth > 0 ? splitLine(line.replaceAll('(', ' ')) : [...parts, line.slice(from)];
}

function separates(line: string, at: number): boolean {
  if (line[at] === ',') return true;
  if (line[at] !== '/') return false;
  const [before, after] = [line.slice(0, at), line.slice(at + 1)];
  const fraction = /\d$/.test(before) && /^\d/.test(after);
  const takeOut = /(?<![\p{L}\p{N}])T$/iu.test(before) && /^O(?![\p{L}\p{N}])/iu.test(after);
  const withSomething = /(?<![\p{L}\p{N}])w$/iu.test(before);
  return !fraction && !takeOut && !withSomething;
}
