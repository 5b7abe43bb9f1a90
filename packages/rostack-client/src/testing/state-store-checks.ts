import { objectWith } from 'rostack-core/client';
import {
  type ConformanceCheck,
  type ConformanceOptions,
  conformanceCheck,
  want,
  wantEqual,
  wantRejection,
} from 'rostack-core/testing';
import { checkUsage } from '../http/error/errors.ts';
import type { StateStoreTarget } from './state-store-target.ts';
import { KEYS, plainState, type StateTrial, withStateTrial } from './state-trial.ts';

const STEPS = 60;

interface StateCheck {
  readonly name: string;
  readonly needs?: 'reopen' | 'openSecond';
  readonly attempt: (trial: StateTrial) => Promise<void>;
}

const CHECKS: readonly StateCheck[] = [
  {
    name: 'load: nothing under a key without a state',
    attempt: (trial) => trial.wantAll('load gives undefined where there is no state.'),
  },
  {
    name: 'replace: everything comes back, and nothing of before',
    attempt: async (trial) => {
      for (let times = 0; times < 4; times += 1) {
        await trial.replace('a');
        await trial.wantAll(
          'load gives what replace was given last, with undefined where that had undefined.',
        );
      }
      await trial.replace('a', { ...trial.newState(), records: [] });
      await trial.wantAll('A state may have no records.');
    },
  },
  {
    name: 'replace: takes any iterable of records',
    attempt: async (trial) => {
      const state = trial.newState();
      const [...records] = state.records;
      await trial.store.replace('a', { ...state, records: records.values() });
      const contract = 'The records of a state may be an iterator, which can be gone through once.';
      wantEqual(plainState(await trial.store.load('a')), plainState({ ...state, records }), contract);
    },
  },
  {
    name: 'replace: all or nothing',
    attempt: async (trial) => {
      await trial.replace('a');
      for (const key of ['a', 'b']) {
        const state = trial.newState();
        const [first, second] = [...state.records];
        const failing = function* () {
          if (first !== undefined) yield first;
          if (second !== undefined) yield second;
          throw new Error('the records end in an error');
        };
        const call = () => trial.store.replace(key, { ...state, records: failing() });
        await wantRejection(call, undefined, 'replace rejects where its records cannot be read to the end.');
        await trial.wantAll('A replace that fails leaves what was there: each call is one step.');
      }
    },
  },
  {
    name: 'update: changes one record, and moves the cursor',
    attempt: async (trial) => {
      await trial.replace('a');
      for (let times = 0; times < 12; times += 1) {
        await trial.update('a', trial.newUpdate(trial.random.pick(['put', 'put', 'remove', 'bookmark'])));
        await trial.wantAll('update puts or takes out one record, if any, and sets cursor and eventId.');
      }
    },
  },
  {
    name: 'update: refused where there is no state',
    attempt: async (trial) => {
      await trial.replace('b');
      for (const kind of ['put', 'remove', 'bookmark'] as const) {
        const call = () => trial.store.update('a', trial.newUpdate(kind));
        await wantRejection(
          call,
          undefined,
          'update rejects where there is no state: its cursor would be of no records.',
        );
        await trial.wantAll('An update that fails leaves everything as it was.');
      }
    },
  },
  {
    name: 'keys: kept apart',
    attempt: async (trial) => {
      for (const key of KEYS) await trial.replace(key);
      await trial.wantAll('Each key has a state of its own; keys compare as strings, unit by unit.');
      for (const key of KEYS) await trial.update(key, trial.newUpdate('put'));
      await trial.wantAll('update changes the state under its key, and no other.');
      for (const key of KEYS) {
        await trial.remove(key);
        await trial.wantAll('remove forgets its key, and no other.');
      }
      await trial.remove('a');
    },
  },
  {
    name: 'load: what was loaded stays as it is',
    attempt: async (trial) => {
      const state = trial.newState();
      await trial.replace('a', state);
      const loaded = await trial.store.load('a');
      for (let times = 0; times < 8; times += 1) await trial.update('a', trial.newUpdate('put'));
      await trial.remove('a');
      const contract =
        'A state that was loaded is that of its moment, whatever is written before its records are read.';
      wantEqual(plainState(loaded), plainState(state), contract);
    },
  },
  {
    name: 'calls at once: none is lost',
    attempt: async (trial) => {
      for (const key of KEYS) await trial.replace(key);
      for (let times = 0; times < 3; times += 1) {
        await Promise.all(KEYS.map((key) => trial.update(key, trial.newUpdate('put'))));
        await trial.wantAll('Follows under several keys write at once: every call counts.');
      }
    },
  },
  {
    name: 'model: random calls',
    attempt: async (trial) => {
      const { random } = trial;
      const known = new Set<string>();
      for (let step = 0; step < STEPS; step += 1) {
        const key = random.pick(KEYS.slice(0, 3));
        if (!known.has(key) || random.oneIn(6)) await trial.replace(key);
        else await trial.update(key, trial.newUpdate(random.pick(['put', 'put', 'remove', 'bookmark'])));
        known.add(key);
        if (random.oneIn(8)) {
          await trial.remove(key);
          known.delete(key);
        }
        if (random.oneIn(5)) await trial.reopen();
        await trial.wantAll('load gives what a model of the store has.');
      }
    },
  },
  {
    name: 'reopening: everything is kept',
    needs: 'reopen',
    attempt: async (trial) => {
      for (const key of KEYS) await trial.replace(key);
      await trial.reopen();
      await trial.wantAll('A state that was replaced is there after reopening.');
      for (const key of KEYS.slice(1)) await trial.update(key, trial.newUpdate('put'));
      await trial.remove('a');
      await trial.reopen();
      await trial.wantAll('What was updated or removed is so after reopening.');
    },
  },
  {
    name: 'claim: one follow at a time has a key',
    needs: 'openSecond',
    attempt: async (trial) => {
      const second = await trial.openSecond();
      const letGo = await trial.store.claim?.('a');
      want(typeof letGo === 'function', 'claim of a free key gives what releases it.', typeof letGo);
      for (const store of [trial.store, second]) {
        const again = await store.claim?.('a');
        wantEqual(
          typeof again,
          'undefined',
          'claim gives undefined for a key that another follow has, through any store.',
        );
      }
      const other = await second.claim?.('b');
      want(typeof other === 'function', 'A claimed key keeps no other one from being claimed.', typeof other);
      await other();
      await letGo();
      const next = await second.claim?.('a');
      want(
        typeof next === 'function',
        'A key that was released can be claimed, through any store.',
        typeof next,
      );
      await trial.closeSecond();
      const last = await trial.store.claim?.('a');
      want(typeof last === 'function', 'The keys of a store that was closed are free.', typeof last);
      await last();
    },
  },
];

/**
 * The contract of `StateStore` as checks for any test runner: `for (const check of stateStoreChecks(target))
 * test(check.name, check.run)`. Each opens a store of its own. Checks that need an ability that the target lacks are left out.
 * @throws UsageError `invalid_options`
 * @see StateStore
 */
export function stateStoreChecks<T>(
  target: StateStoreTarget<T>,
  options: ConformanceOptions = {},
): readonly ConformanceCheck[] {
  checkUsage(objectWith('open', 'store'), target, 'target');
  return CHECKS.filter(({ needs }) => needs === undefined || target[needs] !== undefined).map(
    ({ name, attempt }) =>
      conformanceCheck(name, options, (random) => withStateTrial(target, random, attempt)),
  );
}
