import { describe, expect, test } from 'vitest';
import type { ConnectionSlot } from '../options/shared-connection-limits.ts';
import { Admission } from './admission.ts';

const limits = { maxConnections: 3, maxConnectionsPerAddress: 2, maxConnectionsPerPrincipal: 1 };

describe('admission', () => {
  test('counts connections in all and per address, and gives places back', () => {
    const admission = new Admission(limits);
    expect(admission.admit('a')).toBeUndefined();
    expect(admission.admit('a')).toBeUndefined();
    expect(admission.admit('a')).toBe('too many connections from this address');
    expect(admission.admit('b')).toBeUndefined();
    expect(admission.admit('c')).toBe('too many connections');
    admission.dismiss('a');
    expect(admission.admit('c')).toBeUndefined();
    expect(admission.admit('c')).toBe('too many connections');
  });

  test('counts the connections of a principal', () => {
    const admission = new Admission(limits);
    expect(admission.claimPrincipal('p')).toBe(true);
    expect(admission.claimPrincipal('p')).toBe(false);
    expect(admission.claimPrincipal('q')).toBe(true);
    admission.releasePrincipal('p');
    expect(admission.claimPrincipal('p')).toBe(true);
  });

  test('has no more places than its limits after one was given back that nobody had', () => {
    const admission = new Admission(limits);
    admission.dismiss('a');
    admission.releasePrincipal('p');
    expect(['a', 'a', 'a', 'b', 'c'].map((address) => admission.admit(address))).toEqual([
      undefined,
      undefined,
      'too many connections from this address',
      undefined,
      'too many connections',
    ]);
    expect([admission.claimPrincipal('p'), admission.claimPrincipal('p')]).toEqual([true, false]);
  });

  test('decides the same over a shared counter, which has no place left when it fails', async () => {
    const answers = [undefined, 0, 1];
    const released: (readonly ConnectionSlot[])[] = [];
    const admission = new Admission(limits, {
      acquire: async () => {
        if (answers.length === 0) throw new Error('away');
        return answers.shift();
      },
      release: (claims) => released.push(claims),
    });
    expect(await admission.admit('a')).toBeUndefined();
    expect(await admission.admit('a')).toBe('too many connections');
    expect(await admission.admit('a')).toBe('too many connections from this address');
    expect(await admission.admit('a')).toBe('too many connections');
    expect(await admission.claimPrincipal('p')).toBe(false);
    admission.dismiss('a');
    admission.releasePrincipal('p');
    expect(released).toEqual([
      [
        { scope: 'all', key: '', max: 3 },
        { scope: 'address', key: 'a', max: 2 },
      ],
      [{ scope: 'principal', key: 'p', max: 1 }],
    ]);
  });
});
