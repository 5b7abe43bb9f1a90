import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.ts';

const known = ['port', 'host', 'heartbeat_interval', 'heartbeat_timeout', 'sortable'];

test.each([
  ['prot', 'port'],
  ['Host', 'host'],
  ['heartbeat_timout', 'heartbeat_timeout'],
  ['heartbeatinterval', 'heartbeat_interval'],
  ['sortables', 'sortable'],
  ['colour', undefined],
  ['p', undefined],
])('%s means %s', (typed, expected) => {
  expect(nearestName(typed, known)).toBe(expected);
});

test('a known name with one letter changed, left out, doubled or swapped is found', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...known),
      fc.nat(),
      fc.constantFrom('x', '', 'twice', 'swap'),
      (name, seed, change) => {
        const at = seed % (name.length - 1);
        const letters = { twice: name.charAt(at).repeat(2), swap: name.charAt(at + 1) + name.charAt(at) };
        const text = change === 'twice' || change === 'swap' ? letters[change] : change;
        const typed = name.slice(0, at) + text + name.slice(at + (change === 'swap' ? 2 : 1));
        expect(nearestName(typed, known)).toBe(name);
      },
    ),
  );
});
