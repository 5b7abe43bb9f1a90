import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memberAccess, toJavaScript } from './java-script.ts';

// Code made of text is what is tested here.
const evaluate = async (expression: string): Promise<unknown> => {
  const module = `data:text/javascript,${encodeURIComponent(`export const value = ${expression};`)}`;
  const { value } = (await import(/* @vite-ignore */ module)) as { readonly value: unknown };
  return value;
};

test('an expression evaluates to its value', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.jsonValue({ maxDepth: 3 }).filter((value) => !JSON.stringify(value).includes('__proto__')),
      async (value) => {
        const json = JSON.parse(JSON.stringify(value)) as never;
        expect(await evaluate(toJavaScript(json))).toEqual(json);
      },
    ),
    { numRuns: 50 },
  );
});

test('is written as people write it', () => {
  expect(toJavaScript({ '/quality': { eq: 'it\'s "fine"' }, $or: [1, null] })).toBe(
    `{ '/quality': { eq: 'it\\'s "fine"' }, $or: [1, null] }`,
  );
  expect(memberAccess('record', ['wind', 'speed-mps', 'x'])).toBe("record.wind['speed-mps'].x");
});
