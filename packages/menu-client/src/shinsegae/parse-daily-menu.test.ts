import { expect, test } from 'vitest';
import { parseDailyMenu } from './parse-daily-menu.ts';

test('items without a code that are called the same are told apart by their corners', () => {
  const ds = ['코너 A', '코너 B', '코너 A'].map((cnrNm) => ({ itemNmDp: '비빔밥', cnrNm }));
  const { value, droppedRows } = parseDailyMenu({ ds }, '2');
  expect(value.map(({ menu }) => menu.corner)).toEqual(['코너 A', '코너 B']);
  expect(droppedRows).toBe(0);
});

test.each(['Y', 'y', ' Y '])('what the operator hides with %j is not shown', (hidden) => {
  const item = {
    itemNmDp: '비빔밥',
    fileUpload: [{ url: '/upload/1.jpg' }],
    dailySubMenuDtos: [{ subItemNmDp: '배추김치' }],
  };
  const hiding = { ...item, hidePictureYn: hidden, hideSubMenuYn: hidden };
  const [shown, kept] = [item, hiding].map((each) => parseDailyMenu({ ds: [each] }, '2').value[0]?.menu);
  expect(shown).toHaveProperty('photo');
  expect(shown?.components).toHaveLength(2);
  expect(kept).not.toHaveProperty('photo');
  expect(kept?.components).toEqual([]);
});

test('an address without its scheme is none of the operator’s own host', () => {
  const ds = [{ itemNmDp: '비빔밥', fileUpload: [{ url: '//cdn.example/1.jpg' }] }];
  expect(parseDailyMenu({ ds }, '2').value[0]?.menu).not.toHaveProperty('photo');
});

test('a thumbnail alone is the photo', () => {
  const ds = [{ itemNmDp: '비빔밥', fileUpload: [{ url: '' }, { thumbnail: '/upload/t1.jpg' }] }];
  const photo = { url: 'https://m.planeatchoice.net/upload/t1.jpg' };
  expect(parseDailyMenu({ ds }, '2').value[0]?.menu.photo).toEqual(photo);
});
