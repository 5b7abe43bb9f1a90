import type { Page } from '../../record/record-source.ts';
import { want, wantEqual, wantRejection } from '../check/conformance-check.ts';
import { eventually, pause } from '../check/eventually.ts';
import type { SourceCheck } from './source-check.ts';
import { type SourceTrial, stateIn } from './source-trial.ts';

const ROUNDS = 3;

/** Writes until a watcher is called. One hint may be lost, so a second write has another chance. */
async function writeUntil(trial: SourceTrial, isHeard: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 2; tries += 1) {
    await trial.change(1);
    if (await eventually(isHeard, trial.hintTimeoutMs / 2)) return true;
  }
  return false;
}

export const LIVE_CHECKS: readonly SourceCheck[] = [
  {
    name: 'watch: hints after changes',
    attempt: async (trial) => {
      let calls = 0;
      const stop = trial.source.watch(() => {
        calls += 1;
      });
      try {
        // More than one round: a source may call once without a reason when a watcher is added.
        for (let round = 0; round < ROUNDS; round += 1) {
          const before = calls;
          const isHeard = await writeUntil(trial, () => calls > before);
          want(isHeard, `watch calls back within ${trial.hintTimeoutMs} ms when the head has moved.`, {
            calls,
          });
        }
      } finally {
        stop();
      }
    },
  },
  {
    name: 'watch: nothing after stopping',
    attempt: async (trial) => {
      const calls = { stopped: 0, going: 0 };
      const stop = trial.source.watch(() => {
        calls.stopped += 1;
      });
      const stopOther = trial.source.watch(() => {
        calls.going += 1;
      });
      try {
        await writeUntil(trial, () => calls.stopped > 0 && calls.going > 0);
        stop();
        const before = { ...calls };
        for (let round = 0; round < ROUNDS; round += 1) {
          const { going } = calls;
          await writeUntil(trial, () => calls.going > going);
        }
        wantEqual(calls.stopped, before.stopped, 'A watcher that was stopped is called no more.');
      } finally {
        stopOther();
      }
    },
  },
  {
    name: 'writers at once: head, log and pages agree',
    attempt: async (trial) => {
      const { source } = trial;
      const pages: Page[] = [];
      const progress = { isWriting: true };
      const look = async () => {
        do {
          const { position } = await source.head();
          const positions = (await trial.readToHead(0, 7)).map((change) => change.position);
          const isDense = positions.every((each, index) => each === index + 1);
          const contract = `The log is dense, and reaches the head ${position} that was told before it was read.`;
          want(isDense && positions.length >= position, contract, positions);
          pages.push(await source.page({ sort: [], limit: 1_000 }));
          await pause();
        } while (progress.isWriting);
      };
      const writing = Promise.all(trial.sample.ids.map((id) => trial.put(id))).finally(() => {
        progress.isWriting = false;
      });
      await Promise.all([writing, look()]);
      const changes = await trial.readToHead(0, 100);
      const ids = changes.map(({ id }) => id);
      wantEqual(
        ids.toSorted(),
        trial.sample.ids.map(String).toSorted(),
        'Every record that was written is in the log.',
      );
      for (const { head, bodies } of pages) {
        const wanted = ids.slice(0, head.position).toSorted();
        const contract = `A page shows the state of its own \`head\`, here ${head.position}.`;
        wantEqual(Object.keys(stateIn(bodies)).toSorted(), wanted, contract);
      }
    },
  },
  {
    name: 'outage: source_unavailable',
    needs: 'cutOff',
    attempt: async (trial) => {
      const { source } = trial;
      await trial.change(2);
      await trial.cutOff();
      const contract = (method: string) =>
        `${method} is refused with \`source_unavailable\` while the source cannot answer, not answered with less.`;
      const calls = {
        head: () => source.head(),
        page: () => source.page({ sort: [], limit: 1 }),
        get: () => source.get(String(trial.sample.ids[0])),
        tagAt: () => source.tagAt(1),
        read: () => source.read(0, 1),
      };
      for (const [method, call] of Object.entries(calls)) {
        await wantRejection(call, 'source_unavailable', contract(method));
      }
    },
  },
];
