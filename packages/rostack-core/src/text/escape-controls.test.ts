import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeControls, escapedOutput, escapeLine } from './escape-controls.ts';

test.each([
  ['an escape sequence', '\u001b[2J\u009b2J\u0007', '\\u001b[2J\\u009b2J\\u0007'],
  ['text that runs backwards', 'a\u202egnp.exe\u2066\u061c', 'a\\u202egnp.exe\\u2066\\u061c'],
  ['a carriage return and a separator', 'a\rb\u2028c\u0085', 'a\\u000db\\u2028c\\u0085'],
  ['hidden tags', 'a\u{e0041}', 'a\\udb40\\udc41'],
  ['what people write', '한글 👨‍👩‍👧 été\tx\ny', '한글 👨‍👩‍👧 été\tx\ny'],
])('%s is shown, not obeyed', (_name, text, shown) => {
  expect(escapeControls(text)).toBe(shown);
});

test('a line stays one line', () => {
  expect(escapeLine('a\nb\tc\u001b')).toBe('a\\u000ab\\u0009c\\u001b');
});

test('JSON text keeps its value, and no control character is left in it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
      const json = JSON.stringify([value, text], null, 2);
      const shown = escapeControls(json);
      expect(JSON.parse(shown)).toEqual(JSON.parse(json));
      expect(shown).not.toMatch(/[^\P{Cc}\n]/u);
    }),
  );
});

test('an output that is escaped is the output otherwise', () => {
  const written: string[] = [];
  const output = escapedOutput({
    isTTY: true,
    count: 0,
    write(text: string) {
      written.push(text);
      return false;
    },
    next() {
      this.count += 1;
      return this.count;
    },
  });
  expect(output.write('\u001b[31m')).toBe(false);
  expect(written).toEqual(['\\u001b[31m']);
  expect([output.isTTY, output.next(), output.next()]).toEqual([true, 1, 2]);
});
