import { parseTrustedJson } from '../../text/json.ts';
import { wantEqual } from '../check/conformance-check.ts';
import { randomFilter, randomSort } from './sample-records.ts';
import type { SourceCheck } from './source-check.ts';

const STEPS = 30;

/** Filter, sort, position and limit at once, with changes in between. */
export const MODEL_CHECK: SourceCheck = {
  name: 'model: random changes and queries',
  attempt: async (trial) => {
    const { random, sample, source } = trial;
    await trial.fill();
    for (let step = 0; step < STEPS; step += 1) {
      await trial.change(1);
      const at = random.oneIn(2) ? trial.position : random.integer(0, trial.position);
      const filter = random.oneIn(2)
        ? randomFilter(sample, Object.values(trial.state(at)), random)
        : undefined;
      const query = { at, filter, sort: randomSort(sample, random, 0), limit: random.integer(3, 10) };
      const contract = `The pages of the query ${JSON.stringify(query)} show the rows of the model.`;
      wantEqual(await trial.readPages(query), trial.rows(query), contract);
      const after = random.integer(0, trial.position);
      const ids = (await trial.readToHead(after, random.integer(1, 20))).map(({ id }) => id);
      const wanted = trial.applied.slice(after).map(({ id }) => id);
      wantEqual(ids, wanted, `The log after position ${after} has the changes of the model.`);
      const id = String(random.pick(sample.ids));
      const stored = await source.get(id);
      const found = typeof stored === 'object' ? parseTrustedJson(stored.body) : stored;
      const isGone = trial.applied.some((change) => change.id === id);
      wantEqual(found, trial.present(id) ?? (isGone ? 'gone' : undefined), `get ${JSON.stringify(id)}.`);
    }
  },
};
