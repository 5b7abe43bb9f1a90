import { describe, expect, test } from 'vitest';
import { OwnAdmission } from './admission.ts';

const limits = { maxConnections: 3, maxConnectionsPerAddress: 2, maxConnectionsPerPrincipal: 1 };

describe('admission', () => {
  test('counts connections in all and per address, and gives places back', () => {
    const admission = new OwnAdmission(limits);
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
    const admission = new OwnAdmission(limits);
    expect(admission.claimPrincipal('p')).toBe(true);
    expect(admission.claimPrincipal('p')).toBe(false);
    expect(admission.claimPrincipal('q')).toBe(true);
    admission.releasePrincipal('p');
    expect(admission.claimPrincipal('p')).toBe(true);
  });
});
