/** Names that no sensible rule allows; a pattern that matches one of them does not bound names. */
const STRANGE_NAMES = ['', '\u0000', '~/ \u{1F9ED}\u0007', '\n\u202e"\\{}'];

/**
 * Tells whether a pattern of `patternProperties` describes the whole name: it is a valid expression, anchored at both
 * ends in every alternative, and does not match nonsense names.
 * @see protocol section 2, owned schemas
 */
export function isBoundedNamePattern(pattern: string): boolean {
  return (
    isAnchored(pattern) &&
    compile(pattern, (expression) => !STRANGE_NAMES.some((name) => expression.test(name)))
  );
}

function compile(pattern: string, test: (expression: RegExp) => boolean): boolean {
  try {
    return test(new RegExp(pattern, 'u'));
  } catch {
    return false;
  }
}

/** `^` first, `$` last and not escaped, and no alternation outside of groups and classes. */
function isAnchored(pattern: string): boolean {
  if (!pattern.startsWith('^') || !pattern.endsWith('$')) return false;
  let depth = 0;
  let inClass = false;
  let lastIsEscaped = false;
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern.charAt(index);
    lastIsEscaped = character === '\\';
    if (lastIsEscaped) index += 1;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === '|' && depth === 0) return false;
  }
  return !lastIsEscaped;
}
