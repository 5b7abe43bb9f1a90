import { checkOptions, objectWith } from 'rostack-core';
import {
  type ConformanceCheck,
  type ConformanceOptions,
  conformanceCheck,
  type SeededRandom,
  wantEqual,
  wantRejection,
} from 'rostack-core/testing';
import type { SharedTokenRecord, SharedTokenStore } from '../auth/shared-token-store.ts';
import type { SharedTokenStoreTarget } from './shared-token-store-target.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Ids that no token has; some of them a database or an object could mistake for something else. */
const UNKNOWN_IDS = [
  '',
  '%',
  '___________',
  '__proto__',
  'constructor',
  '\u0000',
  "' or 1 = 1 --",
  'x'.repeat(5_000),
];

/** The parts of an open target that a check uses. */
interface TokenTrial {
  readonly store: SharedTokenStore;
  readonly random: SeededRandom;
  readonly add: (record: SharedTokenRecord) => Promise<void>;
  readonly revoke: (tokenId: string) => Promise<void>;
  readonly cutOff: () => Promise<void>;
}

interface TokenCheck {
  readonly name: string;
  readonly needs?: 'revoke' | 'cutOff';
  readonly attempt: (trial: TokenTrial) => Promise<void>;
}

const CHECKS: readonly TokenCheck[] = [
  {
    name: 'find: nothing under an id that no token has',
    attempt: async ({ store, random, add }) => {
      const { tokenId } = newRecord(random);
      await add(newRecord(random, { tokenId }));
      const near = [
        tokenId.toLowerCase(),
        tokenId.toUpperCase(),
        `${tokenId} `,
        tokenId.slice(1),
        `${tokenId}0`,
      ];
      for (const id of [...UNKNOWN_IDS, ...near].filter((each) => each !== tokenId)) {
        const contract = `find returns undefined for the id ${JSON.stringify(id.slice(0, 20))}: ids compare unit by unit.`;
        wantEqual(await store.find(id), undefined, contract);
      }
    },
  },
  {
    name: 'find: everything that was stored of a token',
    attempt: async ({ store, random, add }) => {
      const records = [
        newRecord(random),
        newRecord(random, { grants: [], subject: '관측 팀' }),
        newRecord(random, { grants: ['b:read', 'a:read'], expiresAtMs: 1_900_000_000_000 }),
        newRecord(random, { claims: { tenant: '한', level: 3, tenants: ['a', 'b'], org: { deep: null } } }),
      ];
      for (const record of records) await add(record);
      for (const record of records) {
        const contract =
          'find returns the token with the verifier, subject, grants, claims and expiry that it was stored with.';
        wantEqual(plainRecord(await store.find(record.tokenId)), plainRecord(record), contract);
      }
    },
  },
  {
    name: 'find: an expired token too, with its expiry',
    attempt: async ({ store, random, add }) => {
      const record = newRecord(random, { expiresAtMs: 1 });
      await add(record);
      const contract = 'An expired token is found, so that logs tell its holder from a stranger.';
      wantEqual(plainRecord(await store.find(record.tokenId)), plainRecord(record), contract);
    },
  },
  {
    name: 'find: a revoked token too, with when it was revoked',
    needs: 'revoke',
    attempt: async ({ store, random, add, revoke }) => {
      const [revoked, kept] = [newRecord(random), newRecord(random)];
      for (const record of [revoked, kept]) await add(record);
      wantEqual(
        (await store.find(revoked.tokenId))?.revokedAtMs,
        undefined,
        'A token is not revoked at first.',
      );
      await revoke(revoked.tokenId);
      const { revokedAtMs, ...rest } = (await store.find(revoked.tokenId)) ?? { revokedAtMs: undefined };
      const contract =
        'The next find after a revocation returns the token with the time of the revocation: without it the token stays valid.';
      wantEqual(Number.isFinite(revokedAtMs), true, contract);
      wantEqual(
        plainRecord(rest as SharedTokenRecord),
        plainRecord(revoked),
        'A revocation changes nothing else.',
      );
      wantEqual(
        plainRecord(await store.find(kept.tokenId)),
        plainRecord(kept),
        'Other tokens are not revoked.',
      );
    },
  },
  {
    name: 'outage: find rejects',
    needs: 'cutOff',
    attempt: async ({ store, random, add, cutOff }) => {
      const record = newRecord(random);
      await add(record);
      await cutOff();
      for (const id of [record.tokenId, newRecord(random).tokenId]) {
        const contract = 'find rejects while the store cannot answer: undefined would refuse a valid token.';
        await wantRejection(() => store.find(id), undefined, contract);
      }
    },
  },
];

function newRecord(random: SeededRandom, members: Partial<SharedTokenRecord> = {}): SharedTokenRecord {
  const tokenId = Array.from({ length: 11 }, () => random.pick(Array.from(DIGITS))).join('');
  const verifier = Uint8Array.from({ length: 32 }, () => random.integer(0, 255));
  return {
    tokenId,
    verifier,
    subject: random.pick(['weather-bot', 'team']),
    grants: ['stations:read'],
    ...members,
  };
}

/** Only the members of the contract: a store may return more. */
function plainRecord(record: SharedTokenRecord | undefined): object | undefined {
  if (record === undefined) return undefined;
  const { tokenId, verifier, subject, grants, claims, expiresAtMs, revokedAtMs } = record;
  return { tokenId, verifier: [...verifier], subject, grants: [...grants], claims, expiresAtMs, revokedAtMs };
}

/**
 * The contract of `SharedTokenStore`, as checks for any test runner: `for (const check of sharedTokenStoreChecks(target)) test(check.name,
 * check.run)`. Each opens its own store. Checks that need an ability that the target lacks are left out.
 * @throws OptionsError `invalid_options`
 * @see SharedTokenStore
 */
export function sharedTokenStoreChecks<T>(
  target: SharedTokenStoreTarget<T>,
  options: ConformanceOptions = {},
): readonly ConformanceCheck[] {
  checkOptions(objectWith('open', 'store', 'add'), target, 'The checks cannot be made', 'target');
  return CHECKS.filter(({ needs }) => needs === undefined || target[needs] !== undefined).map(
    ({ name, attempt }) =>
      conformanceCheck(name, options, async (random) => {
        const opened = await target.open();
        try {
          await attempt({
            store: target.store(opened),
            random,
            add: async (record) => void (await target.add(opened, record)),
            revoke: async (tokenId) => void (await target.revoke?.(opened, tokenId)),
            cutOff: async () => void (await target.cutOff?.(opened)),
          });
        } finally {
          await target.close?.(opened);
        }
      }),
  );
}
