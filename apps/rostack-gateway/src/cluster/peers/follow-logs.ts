import type { RecordSource } from 'rostack-core';
import { LeaderLogCache } from './leader-log-cache.ts';
import { LogReporter } from './log-reporter.ts';
import type { Peers } from './peers.ts';

/** How the processes of a machine follow the logs: one reads them and sends the others what is new. */
export interface LogFollowing extends AsyncDisposable {
  /** The source of a resource, for its followers. */
  source(resource: string): RecordSource | undefined;
}

/** Follows the logs together with the other processes of this machine; the lead is the one that reads them. */
export function followLogs(machine: Peers, sources: ReadonlyMap<string, RecordSource>): LogFollowing {
  const told = new Map([...sources].map(([name, source]) => [name, new LeaderLogCache(source)] as const));
  const stop = machine.isLead
    ? undefined
    : machine.listen((news) => {
        if (news !== undefined) told.get(news.resource)?.take(news);
        else for (const log of told.values()) log.lose();
      });
  const reporters = !machine.isLead
    ? []
    : [...sources].map(
        ([resource, source]) =>
          new LogReporter({
            resource,
            source,
            tell: (news) => {
              told.get(resource)?.take(news);
              machine.tell(news);
            },
          }),
      );
  return {
    source: (resource) => told.get(resource)?.source,
    async [Symbol.asyncDispose]() {
      stop?.();
      await Promise.all(reporters.map((reporter) => reporter[Symbol.asyncDispose]()));
    },
  };
}
