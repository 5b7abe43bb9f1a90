import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../src/index.ts';

const data = join(import.meta.dirname, 'config-mistakes');
const lines = readFileSync(join(data, 'valid.yaml'), 'utf8').split('\n');
const SECRET = 'hunter2-hunter2-hunter2';
const environment = { ADMIN_TOKEN: SECRET };

const scalar = fc.oneof(
  fc.constantFrom(
    '',
    'null',
    '~',
    '[]',
    '{}',
    '[[]]',
    '{ a: { b: c } }',
    '*x',
    '&x y',
    '!!int a',
    '- a',
    '"',
    "'",
    '<<: *a',
    '#',
  ),
  fc.constantFrom(
    '0',
    '-1',
    '1e99',
    '.inf',
    '.nan',
    '0x10',
    'true',
    '2001-01-01',
    '7d',
    '1MiB',
    '__proto__',
    'constructor',
  ),
  fc.string({ maxLength: 20, unit: 'binary' }),
);

type Damage = (text: string[]) => string[];
const damage: fc.Arbitrary<Damage> = fc
  .tuple(fc.nat({ max: lines.length - 1 }), scalar)
  .chain(([at, other]) =>
    fc.constantFrom<Damage>(
      (text) => text.toSpliced(at, 1),
      (text) => text.toSpliced(at, 0, text[at] ?? ''),
      (text) => text.with(at % text.length, `  ${text[at] ?? ''}`),
      (text) => text.with(at % text.length, (text[at] ?? '').replace(/: .*$/, `: ${other}`)),
      (text) => text.with(at % text.length, (text[at] ?? '').replace(/[^ :]+:/, `${other}:`)),
      (text) => text.with(at % text.length, (text[at] ?? '').replace(/[[{].*/, other)),
    ),
  );

test('however a file is damaged, it is a configuration or has mistakes with places; nothing else is thrown', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'damaged.yaml');
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damages) => {
      await writeFile(file, damages.reduce((text, apply) => apply(text), lines).join('\n'));
      const failure: unknown = await loadConfig(file, { environment, folder: data }).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure === undefined) return;
      refused += 1;
      expect(failure).toBeInstanceOf(ConfigError);
      const { mistakes, message } = failure as ConfigError;
      expect(mistakes.length).toBeGreaterThan(0);
      for (const { location } of mistakes) expect(location).toMatch(/^\S+damaged\.yaml:[1-9]\d*:[1-9]\d*$/);
      expect(message).not.toContain(SECRET);
    }),
    { numRuns: 400 },
  );
  expect(refused).toBeGreaterThan(100);
});
