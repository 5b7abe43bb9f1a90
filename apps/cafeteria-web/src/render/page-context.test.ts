import { expect, test } from 'vitest';
import { PhotoShelf } from '../photos/photo-shelf.ts';
import { MESSAGES } from './i18n/messages.ts';
import { feedPage, linkTo, type PageContext } from './page-context.ts';

const korean = feedPage({
  authority: 'localhost',
  origin: 'https://menu.example.org',
  nowMs: 0,
  sampleData: false,
  assetUrl: (name) => name,
  photos: new PhotoShelf(),
});
const english: PageContext = { ...korean, language: 'en', text: MESSAGES.en };

test('links carry the query on, and the language where the address names it', () => {
  const carried = { ...english, languageInLinks: true };
  expect(linkTo(korean, '/a')).toBe('/a');
  expect(linkTo(korean, '/a', { view: 'takeout' })).toBe('/a?view=takeout');
  expect(linkTo(carried, '/a')).toBe('/a?lang=en');
  expect(linkTo(carried, '/a', { view: 'takeout' })).toBe('/a?view=takeout&lang=en');
});
