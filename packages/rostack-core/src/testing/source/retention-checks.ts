import { want, wantEqual, wantRejection } from '../check/conformance-check.ts';
import type { SourceCheck } from './source-check.ts';
import { stateIn } from './source-trial.ts';

const ALL = { sort: [], limit: 1_000 };

export const RETENTION_CHECKS: readonly SourceCheck[] = [
  {
    name: 'pruning: below the floor is refused',
    needs: 'prune',
    attempt: async (trial) => {
      const { source } = trial;
      await trial.change(8);
      await trial.prune();
      const floor = trial.position;
      await trial.change(2);
      wantEqual((await source.head()).floor, floor, 'After pruning, the floor is where the head was.');
      for (const at of [0, 1, floor - 1]) {
        const contract = `Position ${at} is below the floor ${floor}: it is refused with \`position_expired\`.`;
        await wantRejection(() => source.read(at, 10), 'position_expired', contract);
        await wantRejection(() => source.page({ ...ALL, at }), 'position_expired', contract);
        wantEqual(await source.tagAt(at), undefined, 'Below the floor there is no tag.');
      }
    },
  },
  {
    name: 'pruning: the floor still answers',
    needs: 'prune',
    attempt: async (trial) => {
      const { source } = trial;
      await trial.fill();
      await trial.change(8);
      const { position: floor, tag, epoch } = await source.head();
      await trial.prune();
      wantEqual(
        await source.head(),
        { position: floor, floor, epoch, tag },
        'Pruning moves nothing but the floor.',
      );
      wantEqual(await source.tagAt(floor), tag, 'The tag of the floor is known.');
      wantEqual(await source.read(floor, 10, tag), [], 'A reader at the floor goes on from there.');
      await trial.change(4);
      const read = (await source.read(floor, 10, tag)).map(({ position }) => position);
      wantEqual(
        read,
        [1, 2, 3, 4].map((step) => floor + step),
        'A reader at the floor goes on from there.',
      );
      for (const at of [floor, floor + 2, trial.position]) {
        const state = stateIn((await source.page({ ...ALL, at })).bodies);
        wantEqual(state, trial.state(at), `Position ${at} is not below the floor: a page shows its state.`);
      }
    },
  },
  {
    name: 'pruning: what was deleted is forgotten',
    needs: 'prune',
    attempt: async (trial) => {
      const [id = '', kept = ''] = trial.sample.ids;
      await trial.put(id);
      await trial.put(kept);
      await trial.delete(id);
      await trial.prune();
      const contract = 'get says `gone` of a record only as long as its deletion is in the log.';
      wantEqual(await trial.source.get(String(id)), undefined, contract);
      const found = await trial.source.get(String(kept));
      want(typeof found === 'object', 'A record whose change has left the log is still there.', found);
    },
  },
];
