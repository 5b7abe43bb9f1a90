import { expect, test } from 'vitest';
import { readRecordIds } from './record-id-option.ts';

test('a pointer is for all resources, or for one, which counts more', () => {
  const place = readRecordIds(['/a~1b', 'sms-messages=/deviceId']);
  expect(['sms-messages', 'things'].map((resource) => place?.(resource))).toEqual(['/deviceId', '/a~1b']);
  expect(readRecordIds([])?.('things')).toBeUndefined();
});

test.each(['deviceId', '', '=/a', 'Things=/a', '/a~2', 'things=a'])('%j is none', (value) => {
  expect(readRecordIds(['/id', value])).toBeUndefined();
});
