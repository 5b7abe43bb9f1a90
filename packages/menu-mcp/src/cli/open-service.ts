import {
  createMenuService,
  type MenuService,
  type Operator,
  openMenuStore,
  planeatOperator,
  welstoryOperator,
} from 'menu-client';
import type { CliOptions } from './cli-options.ts';

/** The service that the options describe; Welstory only with credentials. */
export async function openService({
  planeatUrl,
  welstoryUrl,
  store,
  credentials,
}: CliOptions): Promise<MenuService> {
  const operators: Operator[] = [
    ...(credentials === undefined
      ? []
      : [
          welstoryOperator({
            ...credentials,
            ...(welstoryUrl === undefined ? {} : { baseUrl: welstoryUrl }),
          }),
        ]),
    planeatOperator(planeatUrl === undefined ? {} : { baseUrl: planeatUrl }),
  ];
  return createMenuService({ operators, store: await openMenuStore(store) });
}
