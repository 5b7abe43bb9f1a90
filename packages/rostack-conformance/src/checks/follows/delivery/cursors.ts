import type { Resource } from 'rostack-core';
import { readChain } from '../../reads/sample/chain.ts';
import { gatewayCheck } from '../trial/gateway-check.ts';
import { ANSWER_MS, Blocked, type GatewayTrial, saidInstead } from '../trial/gateway-trial.ts';

/** The event cursors of lists: what they can be used for, and by whom. */
export const cursors = gatewayCheck({
  name: 'follows.cursors',
  requirements: [
    'ws.resume.replay',
    'ws.cursor.scope',
    'err.ws.code.cursor_scope_mismatch',
    'ws.subscribe.idempotent',
    'decided.event-cursor.refusals',
  ],
  async run(trial) {
    const { resource, context } = trial;
    const cursor = await snapshotCursor(trial, resource);
    const probe = await trial.session();
    const definition = { subscription_id: 'resumed', resource: resource.name, cursor };
    const answer = await trial.subscribed(probe, definition);
    const isReplaying = answer.members.replaying === true;
    const expected = 'With a cursor, subscribed has replaying true, and replay_complete follows.';
    const got = `replaying is ${JSON.stringify(answer.members.replaying)}.`;
    trial.judge('ws.resume.replay', isReplaying, expected, got, probe);
    const complete = await probe.next(['replay_complete'], answer.index, ANSWER_MS);
    trial.judge('ws.resume.replay', complete !== undefined, expected, 'No replay_complete came.', probe);

    const again = await trial.subscribe(probe, definition);
    await trial.ping(probe);
    const isOnce = probe.messages.filter(({ type }) => type === 'replay_complete').length <= 1;
    const isSame = again?.type === 'subscribed' && isOnce;
    const gotAgain = isOnce ? saidInstead(again, probe) : 'It replayed a second time.';
    const expectedAgain = 'The same definition again replays nothing a second time.';
    trial.judge('ws.subscribe.idempotent', isSame, expectedAgain, gotAgain, probe);

    await judgeAltered(trial, cursor);
    const other = trial.followed.find(({ name }) => name !== resource.name);
    if (other !== undefined)
      await judgeScope(trial, 'another resource', context.tokens.main, other.name, cursor);
    const { second } = context.tokens;
    if (second !== undefined) await judgeScope(trial, 'another principal', second, resource.name, cursor);
    if (other === undefined && second === undefined) {
      for (const id of ['ws.cursor.scope', 'err.ws.code.cursor_scope_mismatch']) {
        context.findings.skip(id, 'no second token');
      }
    }
  },
});

/** The event position of a list of the resource. @throws Blocked without one */
export async function snapshotCursor(trial: GatewayTrial, resource: Resource): Promise<string> {
  const chain = await readChain(trial.context, resource, { limit: '1' }, { maxPages: 1 });
  const cursor = chain.pages[0]?.page.event_cursor;
  if (cursor !== undefined) return cursor;
  throw new Blocked(undefined, 'A list of a resource with events has an event_cursor.', 'It has none.');
}

/** Judges a cursor in which one character was changed. */
async function judgeAltered(trial: GatewayTrial, cursor: string): Promise<void> {
  const probe = await trial.session();
  const middle = Math.floor(cursor.length / 2);
  const altered = `${cursor.slice(0, middle)}${cursor[middle] === 'A' ? 'B' : 'A'}${cursor.slice(middle + 1)}`;
  const members = { subscription_id: 'altered', resource: trial.resource.name, cursor: altered };
  const answer = await trial.subscribe(probe, members);
  const { code } = answer?.members ?? {};
  const isRefused = code === 'cursor_unavailable' || code === 'cursor_scope_mismatch';
  const instead = 'An event cursor in which a character was changed is taken.';
  trial.decide('decided.event-cursor.refusals', isRefused, instead);
}

async function judgeScope(
  trial: GatewayTrial,
  what: string,
  token: string,
  resource: string,
  cursor: string,
): Promise<void> {
  const probe = await trial.session(token);
  const answer = await trial.subscribe(probe, { subscription_id: 'elsewhere', resource, cursor });
  const expected = `A cursor of ${what} is refused with cursor_scope_mismatch.`;
  const isMismatch = answer?.members.code === 'cursor_scope_mismatch';
  trial.judge('ws.cursor.scope', answer?.type !== 'subscribed', expected, saidInstead(answer, probe), probe);
  trial.judge('err.ws.code.cursor_scope_mismatch', isMismatch, expected, saidInstead(answer, probe), probe);
}
