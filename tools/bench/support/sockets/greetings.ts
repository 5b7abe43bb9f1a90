import type { SinkPlan } from './frame-sink-worker.ts';

/** What clients send that authenticate and, where `subscribe` is given, subscribe to a resource with its members. */
export function greetingsFor(
  token: string,
  resource: string,
  subscribe?: object,
): Required<Pick<SinkPlan, 'subprotocol' | 'greetings' | 'framesUntilReady'>> {
  const messages: object[] = [{ type: 'authenticate', method: 'shared_token', token }];
  if (subscribe !== undefined)
    messages.push({ type: 'subscribe', subscription_id: 's', resource, ...subscribe });
  const greetings = messages.map((message) => JSON.stringify(message));
  return { subprotocol: 'rostack.v1', greetings, framesUntilReady: greetings.length };
}
