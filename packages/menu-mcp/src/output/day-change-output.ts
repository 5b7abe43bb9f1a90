import type { DayChange } from 'menu-client';
import { z } from 'zod';

export const dayChangeSchema = z.object({
  kind: z
    .enum(['added', 'withdrawn', 'sold-out', 'available'])
    .describe('available: sold out before; a new name is one that is withdrawn and one that is added'),
  name: z.string(),
  at: z.string().describe('When it was read; RFC 3339, UTC'),
});

export type DayChangeOutput = z.infer<typeof dayChangeSchema>;

/** What changed since the morning, the latest first; undefined if nothing did. @param most of them. @default all */
export function toDayChanges(
  changes: readonly DayChange[] = [],
  most = changes.length,
): DayChangeOutput[] | undefined {
  if (changes.length === 0) return undefined;
  return changes
    .toReversed()
    .slice(0, most)
    .map(({ kind, name, at }) => ({ kind, name, at }));
}
