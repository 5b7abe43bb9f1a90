import type { AnyDiscoveryDocument } from 'rostack-core';
import { expect, test } from 'vitest';
import { idsOfResources, readIdPointers } from './read-id-pointers.ts';

const discovery = { resources: [{ name: 'sms' }, { name: 'things' }] } as unknown as AnyDiscoveryDocument;

test('a pointer is for all resources, or for one, which counts more', () => {
  const all = readIdPointers(['/code', 'sms=/deviceId']) ?? new Map();
  expect(idsOfResources(discovery, all)).toEqual({
    sms: { idPointer: '/deviceId' },
    things: { idPointer: '/code' },
  });
  expect(idsOfResources(discovery, readIdPointers(['sms=/a~1b']) ?? new Map())).toEqual({
    sms: { idPointer: '/a~1b' },
  });
});

test.each(['deviceId', '', '=/a', 'Things=/a', '/a~2', 'things=a'])('%j is none', (value) => {
  expect(readIdPointers([value])).toBeUndefined();
});
