const POSITION = /^rostack_log_(head|floor)_position\{resource="([^"]*)"\} (\d+)$/gm;

/** Whether the metrics of a gateway say that only the last change of each resource is kept. */
export function arePruned(metrics: string): boolean {
  const positions = { head: new Map<string, number>(), floor: new Map<string, number>() };
  for (const [, which, resource = '', position] of metrics.matchAll(POSITION)) {
    positions[which === 'head' ? 'head' : 'floor'].set(resource, Number(position));
  }
  const { head, floor } = positions;
  return head.size > 0 && [...head].every(([resource, at]) => at - (floor.get(resource) ?? 0) <= 1);
}
