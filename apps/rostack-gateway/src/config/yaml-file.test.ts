import { describe, expect, test } from 'vitest';
import type { PathSegment } from './model/config-schema.ts';
import { readYaml } from './yaml-file.ts';

const text = `a:
  b: 1
  "c d": [x, { e: 2 }]
shared: &s
  f: 3
other: *s
`;

describe('readYaml', () => {
  test.each<[PathSegment[], boolean, string]>([
    [[], false, '1:1'],
    [['a', 'b'], false, '2:6'],
    [['a', 'b'], true, '2:3'],
    [['a', 'c d', 1, 'e'], false, '3:19'],
    [['a', 'c d', 0], false, '3:11'],
    [['other', 'f'], false, '5:6'],
    [['a', 'missing'], false, '1:1'],
    [['a', 'missing', 'below'], true, '1:1'],
    [['nothing'], false, '1:1'],
    [['a', 'c d', 7], false, '3:3'],
  ])('the place of %j (name: %s) is %s', (path, isAboutName, position) => {
    const { line, column } = readYaml(text).positionOf(path, isAboutName);
    expect(`${line}:${column}`).toBe(position);
  });

  test('an alias is what it stands for', () => {
    expect(readYaml(text).value).toMatchObject({ shared: { f: 3 }, other: { f: 3 } });
  });

  test.each(['a: &x\n  b: *x\n', 'a: &x [1, [*x]]\n', '&x\na: { b: *x }\n'])(
    '%j, an alias inside of what it stands for, is a fault',
    (written) => {
      expect(readYaml(written)).toMatchObject({
        value: undefined,
        fault: { message: 'This alias is inside of what it stands for' },
      });
    },
  );

  test.each([1_000, 5_000])('%i levels are too many, and the fault says so', (levels) => {
    expect(readYaml(`a: ${'['.repeat(levels)}${']'.repeat(levels)}`).fault?.message).toContain(
      '64 levels deep',
    );
  });

  test('aliases of aliases that would fill the memory are a fault', () => {
    const levels = Array.from(
      { length: 20 },
      (_, level) => `l${level + 1}: &l${level + 1} [*l${level}, *l${level}]`,
    );
    expect(readYaml(['l0: &l0 x', ...levels].join('\n'))).toMatchObject({
      value: undefined,
      fault: { line: 1, column: 1 },
    });
  });
});
