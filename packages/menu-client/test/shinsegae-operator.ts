import { type Operator, planeatOperator } from 'menu-client';
import { fixture } from './fixture.ts';
import { manualClock, scriptedOperator } from './scripted-operator.ts';

/** The fixtures of each path; the last one of `menus` repeats. */
interface Names {
  readonly tree?: string;
  readonly times?: string;
  readonly menus?: readonly string[];
}

/** An operator whose server answers with fixtures. */
export function operatorAnswering({ tree = 'tree', times = 'times', menus = ['items'] }: Names) {
  const clock = manualClock();
  const server = scriptedOperator({
    '/v2/storTree': [fixture(`shinsegae/${tree}`)],
    '/v2/storTime': [fixture(`shinsegae/${times}`)],
    '/v2/portal/dailyMenu': menus.map((name) => fixture(`shinsegae/${name}`)),
  });
  const operator: Operator = planeatOperator({
    baseUrl: 'https://planeat.test/v2',
    fetch: server.fetch,
    clock,
    random: () => 0,
  });
  return { operator, server, clock };
}
