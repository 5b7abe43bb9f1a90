import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

interface Option {
  readonly check: (value: unknown, name: string) => string | undefined;
  readonly defaultValue: unknown;
}

const root = resolve(import.meta.dirname, '..');
const OPTION = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(\w+): option(?:<\w+>)?\(/g;

const isOption = (value: unknown): value is Option =>
  typeof value === 'object' && value !== null && 'check' in value && 'defaultValue' in value;

/** The default as a docstring says it: numbers may be grouped, with what they come to behind them. */
function shown(value: unknown): readonly string[] {
  if (typeof value === 'number') return [String(value)];
  if (typeof value === 'string') return [`'${value}'`];
  return Object.entries(value as object).map(([name, part]) =>
    name === 'perSecond' ? `${part} per second` : `${name} ${part}`,
  );
}

/** Each option that is declared in a table, with its docstring. */
async function declaredOptions(): Promise<readonly (readonly [name: string, doc: string, Option])[]> {
  const files = globSync('packages/*/src/**/*.ts', { cwd: root }).filter((file) => !/\.test/.test(file));
  const found = files.map(async (file) => {
    const documented = [...readFileSync(join(root, file), 'utf8').matchAll(OPTION)];
    if (documented.length === 0) return [];
    const tables = Object.values((await import(join(root, file))) as Record<string, unknown>);
    return documented.flatMap(([, doc = '', name = '']) =>
      tables
        .map((table) => (table as Readonly<Record<string, unknown>> | null)?.[name])
        .filter(isOption)
        .map((option) => [`${file} ${name}`, doc, option] as const),
    );
  });
  return (await Promise.all(found)).flat();
}

test('the docstring of each option says its default', async () => {
  const options = await declaredOptions();
  expect(options.length).toBeGreaterThan(40);
  const wrong = options.filter(([, doc, { defaultValue }]) => {
    const said = /@default ([^\n*]+)/.exec(doc)?.[1]?.replaceAll(/(?<=\d)_(?=\d)/g, '') ?? '';
    return !shown(defaultValue).every((part) => new RegExp(`(?<!\\w)${part}(?!\\w)`).test(said));
  });
  expect(wrong.map(([name]) => name)).toEqual([]);
});

test('each default passes its own check', async () => {
  for (const [name, , { check, defaultValue }] of await declaredOptions())
    expect(check(defaultValue, name)).toBeUndefined();
});
