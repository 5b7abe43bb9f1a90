/** A piece of the product's source, and what replaces it. */
export interface Edit {
  /** From the root of the repository. */
  readonly file: string;
  /** Occurs once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** A fault put into the product, which the simulation has to find. */
export interface Mutant {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Where a hunt begins, for a fault that shows in few worlds. @default 1 */
  readonly firstSeed?: number;
}

const HUB = 'packages/rostack-server/src/websocket/hub';
const RESOURCE_HUB = `${HUB}/resource-hub.ts`;
const LOG_TAIL = `${HUB}/log-tail.ts`;
const CHANGE_RING = `${HUB}/change-ring.ts`;
const REPLAY_SLICE = `${HUB}/replay-slice.ts`;
const START_LOCATOR = `${HUB}/start-locator.ts`;
const TRACK = 'packages/rostack-client/src/connection/link/subscription-state.ts';
const BOOKMARK_CHECK = 'packages/rostack-client/src/connection/link/bookmark-check.ts';
const REPLAYS = '[question.cursor, question.bookmark, question.cursor]';
const CLIENT_SESSION = 'packages/rostack-client/src/connection/session/authenticating.ts';

/** What would refuse changes out of order before they do harm: taken away, so that the harm itself has to be seen. */
const GUARDS: readonly Edit[] = [
  {
    file: RESOURCE_HUB,
    find: 'if (change.position !== next) throw new OutOfOrderError(next, change.position);',
    replace: '',
  },
  { file: RESOURCE_HUB, find: 'position: next,', replace: 'position: change.position,' },
  {
    file: CHANGE_RING,
    find: 'if (newest !== undefined && change.position !== newest + 1)',
    replace: 'if (newest === -1)',
  },
  { file: REPLAY_SLICE, find: 'if (position !== end.position + 1)', replace: 'if (position === -1)' },
];

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a failed read begins the backlog again',
    edits: [
      ...GUARDS,
      {
        file: LOG_TAIL,
        find: 'await this.#drain();',
        replace:
          'const start = this.#seen; try { await this.#drain(); } catch (error) { this.#seen = start; throw error; }',
      },
    ],
  },
  {
    name: 'a failed read begins the backlog again, before guards',
    edits: [
      {
        file: LOG_TAIL,
        find: 'await this.#drain();',
        replace:
          'const start = this.#seen; try { await this.#drain(); } catch (error) { this.#seen = start; throw error; }',
      },
    ],
  },
  {
    name: 'a resumed subscription begins one change late',
    edits: [
      {
        file: START_LOCATOR,
        find: 'return { position: from.position, tag: from.tag, replayTo: head.position, era };',
        replace: `const late = Math.min(from.position + 1, head.position);
          return { position: late, tag: (await source.tagAt(late)) ?? from.tag, replayTo: head.position, era };`,
      },
    ],
  },
  {
    name: 'the ring is one change too short',
    edits: [
      ...GUARDS,
      {
        file: CHANGE_RING,
        find: 'const from = this.#start + (position - first + 1);',
        replace: 'const from = this.#start + (position - first + 1) + (position === first - 1 ? 1 : 0);',
      },
      { file: CHANGE_RING, find: 'return isSame ?', replace: 'return isSame || position === first - 1 ?' },
    ],
  },
  {
    name: 'a full socket loses an event',
    edits: [
      { file: RESOURCE_HUB, find: 'feed.position = position - 1;', replace: 'feed.position = position;' },
      { file: RESOURCE_HUB, find: 'feed.tag = tagBefore;', replace: 'feed.tag = this.#followed.tag;' },
    ],
  },
  {
    name: 'a replay goes live one change too early',
    edits: [
      {
        file: RESOURCE_HUB,
        find: 'return position >= this.#followed.position && position >= replayTo;',
        replace: 'return position >= this.#followed.position - 1 && position >= replayTo - 1;',
      },
    ],
  },
  {
    name: 'a client takes an event twice',
    edits: [{ file: TRACK, find: 'this.#window.has(event.event_id)', replace: 'event.event_id === ""' }],
    firstSeed: 300,
  },
  {
    name: 'a client takes a bookmark without a replay from its cursor',
    edits: [{ file: BOOKMARK_CHECK, find: REPLAYS, replace: '[question.bookmark]' }],
  },
  {
    name: 'a client takes a bookmark that its gateway may not know',
    edits: [{ file: BOOKMARK_CHECK, find: REPLAYS, replace: '[question.cursor]' }],
  },
  {
    name: 'a client goes on after a message that the server left out',
    edits: [
      {
        file: CLIENT_SESSION,
        find: "if (error.code === 'rate_limited')",
        replace: "if (error.code === 'internal_error')",
      },
    ],
  },
];
