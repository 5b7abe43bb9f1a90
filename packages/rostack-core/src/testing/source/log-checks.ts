import { type JsonObject, parseTrustedJson } from '../../text/json.ts';
import { want, wantEqual, wantRejection } from '../check/conformance-check.ts';
import type { SourceCheck } from './source-check.ts';

const parsed = (body: string | undefined) =>
  body === undefined ? undefined : (parseTrustedJson(body) as JsonObject);

export const LOG_CHECKS: readonly SourceCheck[] = [
  {
    name: 'head: moves by one with each change',
    attempt: async (trial) => {
      const first = await trial.source.head();
      wantEqual(
        { position: first.position, floor: first.floor, tag: first.tag },
        { position: 0, floor: 0, tag: '' },
        'The log of a new source begins at position 0, with the floor 0 and an empty tag.',
      );
      want(first.epoch !== '', 'The epoch names the history of the log: it is not empty.', first);
      for (let count = 0; count < 6; count += 1) {
        await trial.change(1);
        const { position, floor, epoch } = await trial.source.head();
        wantEqual(
          { position, floor, epoch },
          { position: trial.position, floor: 0, epoch: first.epoch },
          'The head is the position of the newest change that is in the log; floor and epoch stay as they are.',
        );
      }
    },
  },
  {
    name: 'read: dense and ascending up to the head',
    attempt: async (trial) => {
      await trial.change(20);
      for (const limit of [1, 3, 100]) {
        for (const after of [0, trial.random.integer(1, 19), 20]) {
          const positions = (await trial.readToHead(after, limit)).map(({ position }) => position);
          wantEqual(
            positions,
            Array.from({ length: 20 - after }, (_, index) => after + 1 + index),
            `The changes after position ${after}, read with the limit ${limit}, are dense, ascending and reach the newest one.`,
          );
        }
      }
    },
  },
  {
    name: 'read: no more than the limit',
    attempt: async (trial) => {
      await trial.change(8);
      for (const limit of [1, 2, 7]) {
        const changes = await trial.source.read(0, limit);
        want(changes.length <= limit, `read gives at most ${limit} changes.`, changes.length);
      }
    },
  },
  {
    name: 'read: the record before and after each change',
    attempt: async (trial) => {
      await trial.fill();
      await trial.change(15);
      const changes = await trial.readToHead(0, 100);
      const told = changes.map(({ id, transition, before, after }) => {
        return { id, transition, before: parsed(before), after: parsed(after) };
      });
      for (const [index, { id, before, after }] of trial.applied.entries()) {
        const transition = after === undefined ? 'delete' : before === undefined ? 'create' : 'update';
        wantEqual(
          told[index],
          { id, transition, before, after },
          'A change tells the id, the transition, and the record before and after it, as it was written.',
        );
      }
    },
  },
  {
    name: 'read: changes stay as they are, and have names of their own',
    attempt: async (trial) => {
      await trial.change(10);
      const first = await trial.readToHead(0, 100);
      await trial.change(3);
      const again = await trial.readToHead(0, 4);
      wantEqual(
        again.slice(0, 10),
        first,
        'A change in the log stays as it is: consumers drop duplicates by it.',
      );
      for (const member of ['eventId', 'version'] as const) {
        const values = again.map((change) => change[member]);
        want(!values.includes(''), `No ${member} is empty.`, values);
        want(new Set(values).size === values.length, `Every change has another ${member}.`, values);
      }
    },
  },
  {
    name: 'tags: head, changes and tagAt agree',
    attempt: async (trial) => {
      const { source } = trial;
      await trial.change(6);
      const tags = ['', ...(await trial.readToHead(0, 100)).map(({ tag }) => tag)];
      for (const tag of tags) {
        want(/^[\w-]{0,32}$/.test(tag), 'A tag has at most 32 letters, digits, `-` and `_`.', tag);
      }
      const found = await Promise.all(tags.map((_, position) => source.tagAt(position)));
      wantEqual(
        found,
        tags,
        'tagAt gives the tags of the changes in the log, and an empty one for position 0.',
      );
      wantEqual((await source.head()).tag, tags.at(-1), 'The tag of the head is that of the newest change.');
      wantEqual(await source.tagAt(trial.position + 1), undefined, 'Beyond the head there is no tag.');
    },
  },
  {
    name: 'tags: another history is refused',
    attempt: async (trial) => {
      const { source } = trial;
      await trial.change(6);
      const { position, tag } = await source.head();
      wantEqual(
        await source.read(position, 10, tag),
        [],
        'A reader at the head with its tag gets nothing new.',
      );
      await source.page({ at: position, tag, sort: [], limit: 10 });
      const middle = await source.tagAt(3);
      wantEqual(
        (await source.read(3, 10, middle)).length,
        3,
        'A reader whose tag is right gets what came since.',
      );
      for (const [at, wrong] of [
        [3, 'otherTag'],
        [3, ''],
        [3, tag],
        [position, 'otherTag'],
        [position + 1, tag],
      ] as const) {
        const contract = `Position ${at} with a tag that it does not have in the log is refused with \`position_expired\`.`;
        await wantRejection(() => source.read(at, 10, wrong), 'position_expired', contract);
        const query = { at, tag: wrong, sort: [], limit: 10 };
        await wantRejection(() => source.page(query), 'position_expired', contract);
      }
    },
  },
];
