import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadAssets, STYLE_PARTS } from './asset-library.ts';

test('the style sheet has every part of the folder, each once, in the order of the cascade', () => {
  const files = readdirSync(new URL('../../assets/styles/', import.meta.url));
  expect([...STYLE_PARTS].map((part) => `${part}.css`).sort()).toEqual(files.sort());
  const sheet = loadAssets().file('site.css').plain() as string;
  expect(sheet.startsWith('/*')).toBe(true);
  expect(sheet.indexOf(':root')).toBeLessThan(sheet.indexOf('.card'));
  expect(sheet.indexOf('.card')).toBeLessThan(sheet.indexOf('@media print'));
});

test('the address of a file holds the hash of its bytes, and no other address finds it', () => {
  const assets = loadAssets();
  const url = assets.url('site.css');
  expect(url).toMatch(/^\/assets\/site\.[0-9a-f]{10}\.css$/);
  expect(assets.find(url)).toBe(assets.file('site.css'));
  expect(assets.find('/assets/site.css')).toBeUndefined();
  expect(() => assets.url('none.css')).toThrow('none.css');
});
