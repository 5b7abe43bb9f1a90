import {
  createMenuService,
  type MenuService,
  type Operator,
  planeatOperator,
  welstoryOperator,
} from 'menu-client';
import { DEFAULT_CREDENTIALS, startSandbox } from 'menu-sandbox';
import type { LiveUpstream } from './config.ts';

/** The menus' source with what else it tells the site. */
export interface Upstream extends AsyncDisposable {
  readonly service: MenuService;
  /** Origins of the operators' photos beside their usual hosts. */
  readonly photoOrigins: readonly string[];
}

function liveOperators(upstream: LiveUpstream): readonly Operator[] {
  return [
    ...(upstream.welstory === undefined ? [] : [welstoryOperator(upstream.welstory)]),
    planeatOperator(upstream.planeat),
  ];
}

/** Sample operators on a loopback port of this process, or the real ones. */
export async function openUpstream(upstream: { readonly kind: 'sandbox' } | LiveUpstream): Promise<Upstream> {
  if (upstream.kind === 'live') {
    const service = createMenuService({ operators: liveOperators(upstream) });
    return { service, photoOrigins: [], [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
  }
  const sandbox = await startSandbox();
  const service = createMenuService({
    operators: liveOperators({
      kind: 'live',
      welstory: { ...DEFAULT_CREDENTIALS, baseUrl: sandbox.welstoryUrl },
      planeat: { baseUrl: sandbox.planeatUrl },
    }),
  });
  return {
    service,
    photoOrigins: [new URL(sandbox.url).origin],
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await sandbox.close();
    },
  };
}
