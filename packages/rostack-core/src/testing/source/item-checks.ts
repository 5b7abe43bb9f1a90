import { compileFilter } from '../../query/filter/compile-filter.ts';
import { parseTrustedJson } from '../../text/json.ts';
import { want, wantEqual } from '../check/conformance-check.ts';
import { dividingFilter } from './sample-records.ts';
import type { SourceCheck } from './source-check.ts';

/** Ids that no record has. Some of them could mean something else to a database or an object. */
const UNKNOWN_IDS = [
  '',
  'nobody',
  '__proto__',
  'constructor',
  '\u0000',
  '\ud800',
  "' or 1 = 1 --",
  'x'.repeat(5_000),
];

export const ITEM_CHECKS: readonly SourceCheck[] = [
  {
    name: 'get: the newest version',
    attempt: async (trial) => {
      await trial.fill();
      await trial.change(10);
      const changes = await trial.readToHead(0, 100);
      for (const [id, record] of Object.entries(trial.state())) {
        const { position, version } = changes.findLast((change) => change.id === id) ?? {};
        const stored = await trial.source.get(id);
        const found =
          typeof stored === 'object'
            ? {
                id: stored.id,
                position: stored.position,
                version: stored.version,
                body: parseTrustedJson(stored.body),
              }
            : stored;
        const contract =
          'get gives the record with the version and the position of the change that wrote it.';
        wantEqual(found, { id, position, version, body: record }, contract);
      }
    },
  },
  {
    name: 'get: ids without a record',
    attempt: async (trial) => {
      await trial.fill();
      const known = new Set(trial.sample.ids.map(String));
      const near = [...known].flatMap((id) => [
        `${id}\u0000`,
        `${id} `,
        `0${id}`,
        id.toUpperCase(),
        id.slice(0, -1),
      ]);
      for (const id of [...UNKNOWN_IDS, ...near].filter((each) => !known.has(each))) {
        const contract = `get gives undefined for the id ${JSON.stringify(id.slice(0, 20))}, of which there never was a record.`;
        wantEqual(await trial.source.get(id), undefined, contract);
      }
    },
  },
  {
    name: 'get: gone after a deletion',
    attempt: async (trial) => {
      const [id = '', other = ''] = trial.sample.ids;
      await trial.put(id);
      await trial.put(other);
      await trial.delete(id);
      wantEqual(
        await trial.source.get(String(id)),
        'gone',
        'get says `gone` of a record whose deletion is in the log.',
      );
      await trial.put(id);
      const found = await trial.source.get(String(id));
      want(typeof found === 'object', 'A record that is written again after its deletion is there.', found);
    },
  },
  {
    name: 'get: what the filter hides',
    attempt: async (trial) => {
      await trial.fill();
      const records = Object.entries(trial.state());
      const filters = Array.from({ length: 6 }, () =>
        dividingFilter(
          trial.sample,
          records.map(([, record]) => record),
          trial.random,
        ),
      ).filter((filter) => filter !== undefined);
      for (const filter of filters) {
        const isVisible = compileFilter(filter);
        for (const [id, record] of records) {
          const found = await trial.source.get(id, filter);
          const contract = `get gives the record ${JSON.stringify(id)} only where it matches the filter ${JSON.stringify(filter)}.`;
          want((typeof found === 'object') === isVisible(record) && found !== 'gone', contract, found);
        }
      }
      for (const id of trial.sample.ids) await trial.delete(id);
      for (const filter of filters) {
        const isVisible = compileFilter(filter);
        for (const [id, record] of records) {
          const contract = `get says \`gone\` of ${JSON.stringify(id)} only where its last version matches the filter ${JSON.stringify(filter)}.`;
          wantEqual(await trial.source.get(id, filter), isVisible(record) ? 'gone' : undefined, contract);
        }
      }
    },
  },
];
