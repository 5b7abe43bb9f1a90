import { EventEmitter } from 'node:events';
import { hasCode } from 'rostack-core';
import { expect, test, vi } from 'vitest';
import { type Channel, type Handlers, type Message, Rpc, type UnansweredError } from './rpc.ts';

type ToParent = {
  readonly sum: Message<{ readonly numbers: readonly number[] }, number>;
  readonly note: Message<{ readonly text: string }>;
};
type ToChild = { readonly rest: Message };

/** Two ends of a channel: a message sent at one end arrives at the other in a later turn. */
function connectedEnds() {
  const [parent, child] = [new EventEmitter(), new EventEmitter()];
  const endOf = (own: EventEmitter, other: EventEmitter): Channel & EventEmitter =>
    Object.assign(own, {
      send: (...[message, handle, , onSent]: Parameters<NonNullable<Channel['send']>>) => {
        setImmediate(() => {
          other.emit('message', structuredClone(message), handle);
          onSent?.(null);
        });
        return true;
      },
    });
  return { parent: endOf(parent, child), child: endOf(child, parent) };
}

const handlers: Handlers<ToParent> = {
  sum: ({ numbers }) => numbers.reduce((sum, number) => sum + number, 0),
  note: () => {},
};

function start(taken: Partial<Handlers<ToParent>> = {}) {
  const { parent, child } = connectedEnds();
  const atParent = new Rpc<ToParent, ToChild>(parent, { ...handlers, ...taken });
  const atChild = new Rpc<ToChild, ToParent>(child, { rest: () => {} });
  return { parent, child, atParent, atChild };
}

const failureOf = (asked: Promise<unknown>) =>
  asked.then(
    () => undefined,
    (error: unknown) => (hasCode<UnansweredError>(error, 'process_silent') ? error.message : error),
  );

test('each answer is that of its message, and a note gets none', async () => {
  const note = vi.fn<Handlers<ToParent>['note']>();
  const { parent, atParent, atChild } = start({ note });
  atChild.tell('note', { text: 'first' });
  const sums = [atChild.ask('sum', { numbers: [1, 2] }), atChild.ask('sum', { numbers: [3] })];
  expect(await Promise.all([...sums, atParent.ask('rest', {})])).toEqual([3, 3, undefined]);
  expect(note.mock.calls).toEqual([[expect.objectContaining({ text: 'first' }), undefined]]);
  parent.emit('message', { kind: 'toString' });
  parent.emit('message', 'of another module');
});

test('a handle goes with its message', async () => {
  const rest = vi.fn<Handlers<ToChild>['rest']>();
  const { parent, child } = connectedEnds();
  const atParent = new Rpc<ToParent, ToChild>(parent, handlers);
  using _ = new Rpc<ToChild, ToParent>(child, { rest });
  const handle = new EventEmitter() as never;
  await atParent.ask('rest', {}, { handle });
  expect(rest.mock.calls[0]?.[1]).toBe(handle);
});

test('one that waits learns why there is no answer', async () => {
  const { atChild } = start({
    sum: async () => {
      throw new Error('there is nothing to add');
    },
  });
  expect(await failureOf(atChild.ask('sum', { numbers: [] }))).toBe('there is nothing to add');
});

test('nobody waits for longer than was said', async () => {
  const { atChild } = start({ sum: () => new Promise(() => {}) });
  const asked = atChild.ask('sum', { numbers: [] }, { timeoutMs: 5 });
  expect(await failureOf(asked)).toBe('sum is not answered within 5 ms');
});

test.each(['the other process', 'this end'])('nobody waits when %s has ended', async (which) => {
  const { child, atChild } = start({ sum: () => new Promise(() => {}) });
  const asked = failureOf(atChild.ask('sum', { numbers: [] }));
  if (which === 'this end') atChild[Symbol.dispose]();
  else child.emit('disconnect');
  expect(await asked).toBe('the other process has ended');
  // A message to a process that has ended must not wait forever.
  expect(await failureOf(atChild.ask('sum', { numbers: [] }))).toBe('the other process has ended');
  expect(child.listenerCount('message')).toBe(which === 'this end' ? 0 : 1);
});

test('what cannot be sent is not waited for', async () => {
  const rpc = new Rpc<ToChild, ToParent>(new EventEmitter(), { rest: () => {} });
  expect(await failureOf(rpc.ask('sum', { numbers: [] }))).toBe('sum cannot be sent');
  expect(rpc.tell('note', { text: 'lost' })).toBe(false);
});
