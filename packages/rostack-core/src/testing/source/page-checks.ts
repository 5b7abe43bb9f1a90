import { comparePageKeys, pageKeyOf } from '../../query/sort/sort.ts';
import { parseTrustedJson } from '../../text/json.ts';
import { want, wantEqual, wantRejection } from '../check/conformance-check.ts';
import { dividingFilter, randomSort } from './sample-records.ts';
import type { SourceCheck } from './source-check.ts';
import { identified, type SourceTrial, stateIn } from './source-trial.ts';

const ALL = { sort: [], limit: 1_000 };
const TIMES = 12;

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

const filterOf = (trial: SourceTrial) =>
  dividingFilter(trial.sample, Object.values(trial.state()), trial.random);

// Every platform has this decoder. It is declared here because this package has no platform's types.
declare const TextDecoder: new () => { readonly decode: (bytes: Uint8Array) => string };

export const PAGE_CHECKS: readonly SourceCheck[] = [
  {
    name: 'page: the newest state, and which that is',
    attempt: async (trial) => {
      for (const changes of [0, 9, 1]) {
        await trial.change(changes);
        const { head, bodies, next } = await trial.source.page(ALL);
        const contract = `After ${trial.position} changes a page without a position shows them all.`;
        wantEqual(stateIn(bodies), trial.state(), contract);
        wantEqual(next, undefined, '`next` is undefined where no more rows follow.');
        wantEqual(
          head.position,
          trial.position,
          '`head` of a page is the position of the state that it shows.',
        );
      }
    },
  },
  {
    name: 'page: the state at a position',
    attempt: async (trial) => {
      await trial.fill();
      await trial.change(20);
      for (const at of [0, 1, trial.position - 20, trial.position - 7, trial.position]) {
        const state = stateIn((await trial.source.page({ ...ALL, at })).bodies);
        wantEqual(state, trial.state(at), `A page at position ${at} shows the records as they were then.`);
      }
    },
  },
  {
    name: 'page: beyond the head is refused',
    attempt: async (trial) => {
      await trial.change(3);
      const ask = () => trial.source.page({ ...ALL, at: trial.position + 1 });
      await wantRejection(
        ask,
        'position_expired',
        'A position beyond the head is refused with `position_expired`.',
      );
    },
  },
  {
    name: 'page: the filter',
    attempt: async (trial) => {
      await trial.fill();
      for (let times = 0; times < TIMES; times += 1) {
        const filter = filterOf(trial);
        if (filter === undefined) return;
        const found = idsOf(identified((await trial.source.page({ ...ALL, filter })).bodies)).toSorted();
        const wanted = idsOf(trial.rows({ filter })).toSorted();
        wantEqual(found, wanted, `A page shows the rows that match the filter ${JSON.stringify(filter)}.`);
      }
    },
  },
  {
    name: 'page: the sort order',
    attempt: async (trial) => {
      for (let times = 0; times < TIMES; times += 1) {
        if (times % 4 === 0) await trial.fill();
        const sort = randomSort(trial.sample, trial.random, 1);
        // Without the ids: rows of equal values may come in any order here.
        const keysOf = (rows: ReturnType<typeof identified>) =>
          rows.map((row) => pageKeyOf(row, sort).values);
        const rows = identified((await trial.source.page({ ...ALL, sort })).bodies);
        const contract = `Rows come in the order of their values: missing, null, false, true, numbers, strings by code point; here by ${describeSort(sort)}.`;
        wantEqual(keysOf(rows), keysOf(trial.rows({ sort })), contract);
      }
    },
  },
  {
    name: 'page: ties by id',
    attempt: async (trial) => {
      await trial.fill();
      for (const sort of [
        [],
        ...Array.from({ length: TIMES }, () => randomSort(trial.sample, trial.random, 1)),
      ]) {
        const rows = identified((await trial.source.page({ ...ALL, sort })).bodies);
        const compare = comparePageKeys(sort);
        for (const [index, row] of rows.entries()) {
          const next = rows[index + 1];
          if (next === undefined) continue;
          const [key, nextKey] = [pageKeyOf(row, sort), pageKeyOf(next, sort)];
          if (compare({ ...key, id: '' }, { ...nextKey, id: '' }) !== 0) continue;
          const contract = `Rows of equal values come by id, ascending by code point, also where the order is descending; here by ${describeSort(sort)}.`;
          want(compare(key, nextKey) < 0, contract, [row.id, next.id]);
        }
      }
    },
  },
  {
    name: 'page: a chain of pages',
    attempt: async (trial) => {
      await trial.fill();
      const total = trial.sample.ids.length;
      for (const limit of [1, 2, 5, total - 1, total, total + 1]) {
        const sort = randomSort(trial.sample, trial.random, 0);
        const filter = trial.random.oneIn(2) ? filterOf(trial) : undefined;
        const rows = trial.rows({ filter, sort });
        let after: ReturnType<typeof pageKeyOf> | undefined;
        for (let shown = 0; shown === 0 || shown < rows.length; shown += limit) {
          const page = await trial.source.page({ sort, filter, limit, after });
          const wanted = rows.slice(shown, shown + limit);
          wantEqual(
            idsOf(identified(page.bodies)),
            idsOf(wanted),
            `A page shows the next ${limit} rows strictly after the key \`after\`.`,
          );
          const last = shown + limit < rows.length ? wanted.at(-1) : undefined;
          const contract =
            '`next` is the key of the last row of the page, its sort values and its id; undefined where no row follows.';
          wantEqual(page.next, last && pageKeyOf(last, sort), contract);
          after = page.next;
        }
      }
    },
  },
  {
    name: 'page: a chain of pages while others write',
    attempt: async (trial) => {
      await trial.fill();
      for (let times = 0; times < 4; times += 1) {
        const sort = randomSort(trial.sample, trial.random, 0);
        const filter = times % 2 === 0 ? undefined : filterOf(trial);
        const at = trial.position;
        const rows = await trial.readPages({ at, sort, filter, limit: 3 }, () => trial.change(2));
        wantEqual(
          rows,
          trial.rows({ at, sort, filter }),
          'All pages of a chain show the state at its position.',
        );
      }
    },
  },
  {
    name: 'page: no rows',
    attempt: async (trial) => {
      const { bodies, next } = await trial.source.page({ sort: [], limit: 1 });
      wantEqual([bodies.length, next], [0, undefined], 'A page without rows has no bytes, and no `next`.');
    },
  },
  {
    name: 'records: one text everywhere',
    attempt: async (trial) => {
      await trial.fill();
      const changes = await trial.readToHead(0, 100);
      for (const { id, value } of trial.rows({})) {
        const stored = await trial.source.get(id);
        const text = stored === undefined || stored === 'gone' ? undefined : stored.body;
        wantEqual(
          text && parseTrustedJson(text),
          value,
          `The record ${JSON.stringify(id)} is what was written.`,
        );
        const logged = changes.findLast((change) => change.id === id)?.after;
        wantEqual(logged, text, 'A record has one text: that of `get` and that of its change are the same.');
      }
      const texts = trial.rows({}).map(({ id }) => changes.findLast((change) => change.id === id)?.after);
      const page = new TextDecoder().decode((await trial.source.page(ALL)).bodies);
      wantEqual(
        page,
        texts.join(','),
        'The bodies of a page are the texts of its records with a comma between two.',
      );
    },
  },
  {
    name: 'records: copied when written',
    attempt: async (trial) => {
      const [id = ''] = trial.sample.ids;
      const record = await trial.put(id);
      for (const name of Object.keys(record)) (record as Record<string, unknown>)[name] = 'changed';
      const state = stateIn((await trial.source.page(ALL)).bodies);
      wantEqual(state, trial.state(), 'A record is stored as it was when it was written.');
    },
  },
];

function describeSort(sort: readonly { readonly pointer: string; readonly descending: boolean }[]): string {
  const keys = sort.map(({ pointer, descending }) => `${descending ? '-' : ''}${pointer}`);
  return keys.length === 0 ? 'the id alone' : keys.join(',');
}
