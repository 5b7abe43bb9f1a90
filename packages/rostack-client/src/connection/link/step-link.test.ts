import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IDLE_LINK, type LinkEffect, type LinkInput, type LinkState, stepLink } from './step-link.ts';

const RULES = { minDelayMs: 100, maxDelayMs: 1_000, maxServerDelayMs: 5_000 };

/** A link with what it has asked for so far. */
class Driver {
  state: LinkState = IDLE_LINK;
  effects: readonly LinkEffect[] = [];

  step(input: LinkInput): this {
    const { state, effects } = stepLink(RULES, this.state, input);
    this.state = state;
    this.effects = effects;
    return this;
  }

  want(nowMs = 0): this {
    return this.step({ kind: 'wanted', isWanted: true, nowMs });
  }

  healthy(number: number): this {
    return this.ready(number).step({ kind: 'healthy', number });
  }

  ready(number: number): this {
    return this.step({ kind: 'ready', number });
  }

  lose(number: number, nowMs = 0, serverDelayMs?: number): this {
    return this.step({ kind: 'closed', number, nowMs, random: 0, serverDelayMs });
  }

  tick(nowMs: number): this {
    return this.step({ kind: 'tick', nowMs });
  }

  goAway(number: number, reconnectAfterMs: number, gatewayUrl?: string): this {
    return this.step({ kind: 'go_away', number, nowMs: 0, random: 0, reconnectAfterMs, gatewayUrl });
  }
}

const open = (number: number, gatewayUrl?: string) => ({ kind: 'open', number, gatewayUrl });

describe('a link', () => {
  test('opens at once, and leaves when nothing is subscribed', () => {
    const link = new Driver().want();
    expect(link.effects).toEqual([open(1)]);
    link.step({ kind: 'wanted', isWanted: false, nowMs: 0 });
    expect(link.effects).toEqual([{ kind: 'leave', number: 1 }]);
    expect(link.want().effects).toEqual([open(2)]);
  });

  test('waits after a loss, longer each time, until a connection was healthy', () => {
    const link = new Driver().want().lose(1, 1_000);
    expect(link.state.openAtMs).toBe(1_100);
    expect(link.tick(1_099).effects).toEqual([]);
    expect(link.tick(1_100).effects).toEqual([open(2)]);
    link.ready(2);
    expect(link.state.failures).toBe(1);
    link.lose(2, 2_000);
    expect(link.state.failures).toBe(2);
    link.tick(2_100).ready(3).step({ kind: 'healthy', number: 3 });
    expect(link.state.failures).toBe(0);
  });

  test('the delay that the server asks for wins when it is larger, and is cut', () => {
    expect(new Driver().want().lose(1, 0, 3_000).state.openAtMs).toBe(3_000);
    expect(new Driver().want().lose(1, 0, 1e12).state.openAtMs).toBe(5_000);
  });

  test('a rest while it waits does not shorten the wait', () => {
    const link = new Driver().want().lose(1, 0, 3_000);
    link.step({ kind: 'wanted', isWanted: false, nowMs: 10 });
    expect(link.want(20).effects).toEqual([]);
    expect(link.tick(3_000).effects).toEqual([open(2)]);
  });

  test('doubts discovery after each third failure in a row', () => {
    const link = new Driver().want();
    const doubts = [1, 2, 3, 4, 5, 6].map((number) => {
      const isDoubted = link.lose(number).effects.some(({ kind }) => kind === 'doubt_discovery');
      link.tick(1e6);
      return isDoubted;
    });
    expect(doubts).toEqual([false, false, true, false, false, true]);
  });

  test('go_away: the next connection is ready before the old one is left', () => {
    const link = new Driver().want().healthy(1).goAway(1, 200);
    expect(link.tick(199).effects).toEqual([]);
    expect(link.tick(200).effects).toEqual([open(2)]);
    expect(link.state).toMatchObject({ main: { number: 1 }, next: { number: 2 } });
    expect(link.ready(2).effects).toEqual([{ kind: 'leave', number: 1 }]);
    expect(link.state).toMatchObject({ main: { number: 2 }, next: undefined });
  });

  test('go_away with a URL: tried there once, then where discovery says', () => {
    const link = new Driver().want().healthy(1).goAway(1, 0, 'wss://b.example');
    expect(link.effects).toEqual([{ kind: 'doubt_discovery' }]);
    expect(link.tick(0).effects).toEqual([open(2, 'wss://b.example')]);
    link.lose(2);
    expect(link.state.main).toMatchObject({ number: 1 });
    expect(link.tick(1e6).effects).toEqual([open(3)]);
  });

  test('go_away: when the old connection ends first, the next one takes its place without another wait', () => {
    const link = new Driver().want().healthy(1).goAway(1, 0).tick(0).lose(1);
    expect(link.effects).toEqual([]);
    expect(link.state).toMatchObject({ main: { number: 2 }, next: undefined, openAtMs: undefined });
  });

  test('go_away: the wait that it asked for holds when the old connection ends before', () => {
    const link = new Driver().want().healthy(1).goAway(1, 2_000).lose(1, 500);
    expect(link.state.openAtMs).toBe(2_000);
  });

  test('go_away on a connection that was never healthy counts as a failure', () => {
    const link = new Driver().want().ready(1).goAway(1, 0);
    expect(link.state).toMatchObject({ openAtMs: 100, failures: 1 });
    link.tick(100).ready(2).goAway(2, 0);
    expect(link.state).toMatchObject({ main: { number: 2 }, failures: 2 });
  });

  test('whatever happens: at most two connections, none forgotten, and it always goes on', () => {
    const number = fc.integer({ min: 0, max: 6 });
    const input: fc.Arbitrary<(nowMs: number) => LinkInput> = fc.oneof(
      fc.boolean().map((isWanted) => (nowMs: number) => ({ kind: 'wanted' as const, isWanted, nowMs })),
      number.map((number) => () => ({ kind: 'ready' as const, number })),
      number.map((number) => () => ({ kind: 'healthy' as const, number })),
      number.map((number) => (nowMs: number) => ({ kind: 'closed' as const, number, nowMs, random: 0.5 })),
      fc.tuple(number, fc.nat(3_000)).map(([number, reconnectAfterMs]) => (nowMs: number) => ({
        kind: 'go_away' as const,
        random: 0.5,
        number,
        nowMs,
        reconnectAfterMs,
      })),
      fc.constant((nowMs: number) => ({ kind: 'tick' as const, nowMs })),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(800), input), { maxLength: 60 }), (history) => {
        let state = IDLE_LINK;
        let nowMs = 0;
        const alive = new Set<number>();
        for (const [pauseMs, toInput] of history) {
          nowMs += pauseMs;
          const input = toInput(nowMs);
          if (input.kind === 'closed') alive.delete(input.number);
          const step = stepLink(RULES, state, input);
          state = step.state;
          for (const effect of step.effects) {
            if (effect.kind === 'open') alive.add(effect.number);
            else if (effect.kind === 'leave') alive.delete(effect.number);
          }
          const known = [state.main, state.next].flatMap((connection) => connection?.number ?? []);
          expect(alive).toEqual(new Set(known));
          expect(state.isWanted && state.main === undefined ? state.openAtMs : 0).toBeDefined();
          expect(state.next === undefined || state.main !== undefined).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});
