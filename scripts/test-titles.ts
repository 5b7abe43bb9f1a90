import { parseAst } from 'vitest/node';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const FUNCTIONS = /^(?:test|it|describe\w*|suite)$/;

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

/** The name at the root of what is called: `test` of `test.skipIf(x).each(rows)`. */
function rootOf(node: unknown): string | undefined {
  const { type, name, callee, object, tag } = node as Record<string, unknown>;
  if (type === 'Identifier') return String(name);
  if (type === 'CallExpression') return rootOf(callee);
  if (type === 'MemberExpression') return rootOf(object);
  return type === 'TaggedTemplateExpression' ? rootOf(tag) : undefined;
}

/** Where a title has a value of its table or its template. */
const HOLE = /\$\{[^}]*\}|%[sdifjoOc#]|\$[\w.]+/g;

const parse = (source: string, file: string): Node =>
  parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' });

/**
 * The titles of the tests in a source file, as they are written there, each after those of the suites around it.
 * What is put into a template is left as it stands; a title that is no text in the file is left out.
 */
export function testTitles(source: string, file: string): string[][] {
  const found: string[][] = [];
  const textOf = (node: Node): string | undefined => {
    const { type, value } = node as Node & { readonly value?: unknown };
    if (type === 'Literal' && typeof value === 'string') return value;
    return type === 'TemplateLiteral' ? source.slice(node.start + 1, node.end - 1) : undefined;
  };
  const visit = (node: Node, suites: readonly string[]): void => {
    let inner = suites;
    if (node.type === 'CallExpression') {
      const [first] = (node as Node & { readonly arguments: readonly Node[] }).arguments;
      const name = rootOf(node) ?? '';
      const title = first !== undefined && FUNCTIONS.test(name) ? textOf(first) : undefined;
      if (title !== undefined && /^(?:test|it)$/.test(name)) found.push([...suites, title]);
      else if (title !== undefined) inner = [...suites, title];
    }
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child, inner);
  };
  visit(parse(source, file), []);
  return found;
}

/** What is written in a source file as a text or as the name of a member. */
export function writtenTexts(source: string, file: string): Set<string> {
  const texts = new Set<string>();
  const visit = (node: Node): void => {
    const { type, value, name } = node as Node & { readonly value?: unknown; readonly name?: unknown };
    if (type === 'Literal' && typeof value === 'string') texts.add(value);
    if (type === 'Identifier' && typeof name === 'string') texts.add(name);
    if (type === 'TemplateLiteral') texts.add(source.slice(node.start + 1, node.end - 1));
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child);
  };
  visit(parse(source, file));
  return texts;
}

/** Whether a test of this title can have a name of the pattern. @param texts what tables and templates can put into it */
export function titleMatches(title: string, pattern: RegExp, texts: Iterable<string>): boolean {
  if (title.search(HOLE) === -1) return pattern.test(title);
  for (const text of ['', ...texts]) if (pattern.test(title.replace(HOLE, () => text))) return true;
  return false;
}
