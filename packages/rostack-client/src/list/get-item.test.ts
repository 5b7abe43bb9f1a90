import * as fc from 'fast-check';
import { parseUriTemplate } from 'rostack-core';
import { expect, test } from 'vitest';
import { itemUrl } from './get-item.ts';

const ids = fc.string({ unit: 'grapheme', minLength: 1 }).filter((id) => id.isWellFormed());

test.each([
  'https://observatory.example/stations/{id}',
  'https://observatory.example/{id}/again/{id}',
  'https://observatory.example/stations/{id}{?fields,lang}',
  'https://observatory.example{/id}/{id}{+id}{id:3}{&id}',
])('%s is expanded as RFC 6570 says', async (template) => {
  await fc.assert(
    fc.asyncProperty(ids, async (id) => {
      expect(await itemUrl(template, id)).toBe(parseUriTemplate(template).expand({ id }));
    }),
  );
});

test('a template in an id, and reserved characters, stay parts of the id', async () => {
  const url = await itemUrl('https://observatory.example/{id}', "{id}$&/?#!'()*");
  expect(url).toBe('https://observatory.example/%7Bid%7D%24%26%2F%3F%23%21%27%28%29%2A');
});
