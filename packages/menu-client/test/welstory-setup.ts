import { type Operator, type WelstoryOperatorOptions, welstoryOperator } from 'menu-client';
import { fixture } from './fixture.ts';
import {
  type Answer,
  type ManualClock,
  manualClock,
  type ScriptedOperator,
  scriptedOperator,
  token,
} from './scripted-operator.ts';

export const LUNCH = { code: '2', label: '중식' } as const;
export const MEAL = fixture('welstory/dishes-in-rows');
export const PAGE: Response = new Response('<!doctype html><form></form>', {
  headers: { 'content-type': 'text/html' },
});
export const EMPTY: Response = new Response('');

export function loginWith(value: string): Answer {
  return () => new Response('{}', { headers: { authorization: value } });
}

export interface Setup {
  readonly clock: ManualClock;
  readonly server: ScriptedOperator;
  readonly operator: Operator;
  readonly paths: () => readonly string[];
}

export function setup(
  answers: (clock: ManualClock) => Record<string, readonly Answer[]>,
  options: Partial<WelstoryOperatorOptions> = {},
): Setup {
  const clock = manualClock();
  const server = scriptedOperator({ '/login': [loginWith(token(clock, 'only'))], ...answers(clock) });
  const operator = welstoryOperator({
    baseUrl: 'https://welstory.test/',
    username: 'someone',
    password: 'hunter2',
    fetch: server.fetch,
    clock,
    random: () => 1,
    ...options,
  });
  return { clock, server, operator, paths: () => server.requests.map(({ path }) => path) };
}

export async function readDay(operator: Operator): Promise<string> {
  const { value } = await operator.day('REST000007', '2026-11-18', [LUNCH]);
  const [meal] = value;
  if (meal === undefined) return 'nothing';
  return 'error' in meal ? meal.error.code : `${meal.menus.length} menus`;
}
