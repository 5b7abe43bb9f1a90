import { anything, assert, jsonValue, property, record } from 'fast-check';
import type { MenuService } from 'menu-client';
import { expect, test } from 'vitest';
import { bindTools } from '../tools/bind-tools.ts';
import { parseToolCall } from './tool-call.ts';

// Parsing asks the service for nothing.
const TOOLS = bindTools({} as MenuService);
const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search_restaurants', arguments: { query: '강남' } },
};

test('a call is read with the defaults of its tool', () => {
  expect(parseToolCall(CALL, TOOLS)).toMatchObject({
    id: 1,
    tool: { name: 'search_restaurants' },
    input: { query: '강남', limit: 10 },
  });
  expect(parseToolCall({ ...CALL, id: 'a' }, TOOLS)?.id).toBe('a');
});

test.each([
  { ...CALL, jsonrpc: '1.0' },
  { ...CALL, id: null },
  { ...CALL, id: 1.5 },
  { ...CALL, method: 'tools/list' },
  { ...CALL, params: undefined },
  { ...CALL, params: { name: 'toString' } },
  { ...CALL, params: { name: 'search_restaurants' } },
  { ...CALL, params: { name: 'search_restaurants', arguments: [] } },
  { ...CALL, params: { name: 'search_restaurants', arguments: { query: 1 } } },
])('%j is left to the SDK', (message) => {
  expect(parseToolCall(message, TOOLS)).toBeUndefined();
});

test('whatever comes is read or left, never thrown at', () => {
  assert(property(anything(), (message) => void parseToolCall(message, TOOLS)));
  assert(
    property(record({ name: jsonValue(), arguments: jsonValue() }), (params) => {
      expect(parseToolCall({ ...CALL, params }, TOOLS)).toBeUndefined();
    }),
  );
});
