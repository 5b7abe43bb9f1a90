import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PhotoShelf } from '../photos/photo-shelf.ts';
import { MESSAGES } from './i18n/messages.ts';
import { feedPage, linkTo, nameHtml, namesOf, type PageContext } from './page-context.ts';
import { escapeHtml } from './plain-text.ts';

const korean = feedPage({
  authority: 'localhost',
  origin: 'https://menu.example.org',
  nowMs: 0,
  sampleData: false,
  assetUrl: (name) => name,
  photos: new PhotoShelf(),
});
const english: PageContext = { ...korean, language: 'en', text: MESSAGES.en };

const name = fc.string({ unit: fc.constantFrom('밥', 'a', ' ', '<', '&', '\n', '\u202e'), maxLength: 4 });
const named = fc.oneof(fc.record({ name }), fc.record({ name, nameEn: name }));

test.each([korean, english])('the name as HTML is the primary name, escaped ($language)', (page) => {
  fc.assert(
    fc.property(named, (given) => {
      expect(nameHtml(page, given)).toBe(escapeHtml(namesOf(page, given).primary));
    }),
  );
});

test.each([korean, english])('what pages write around a name needs no escaping ($language)', ({ text }) => {
  for (const label of [text.photoOf('x'), text.nutritionOf('x')]) expect(escapeHtml(label)).toBe(label);
});

test('links carry the query on, and the language where the address names it', () => {
  const carried = { ...english, languageInLinks: true };
  expect(linkTo(korean, '/a')).toBe('/a');
  expect(linkTo(korean, '/a', { view: 'takeout' })).toBe('/a?view=takeout');
  expect(linkTo(carried, '/a')).toBe('/a?lang=en');
  expect(linkTo(carried, '/a', { view: 'takeout' })).toBe('/a?view=takeout&lang=en');
});
