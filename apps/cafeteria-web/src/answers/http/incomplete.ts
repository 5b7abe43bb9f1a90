import type { UnreadOperator } from 'menu-client';

/** Names the operators missing from an answer because their restaurants have never been read. */
export const INCOMPLETE_FIELD = 'Incomplete-Operators';

/** As a structured field: a list of operators, `welstory;reason="operator_timeout";since=@1795142580`. @see RFC 9651 */
export function incompleteFields(incomplete: readonly UnreadOperator[]): Readonly<Record<string, string>> {
  if (incomplete.length === 0) return {};
  const list = incomplete.map(
    ({ vendor, reason, since }) =>
      `${vendor};reason="${reason}";since=@${Math.floor(Date.parse(since) / 1000)}`,
  );
  return { [INCOMPLETE_FIELD]: list.join(', ') };
}

/** The same as JSON. */
export function incompleteMembers(
  incomplete: readonly UnreadOperator[],
): { operator: UnreadOperator['vendor']; reason: string; since: string }[] {
  return incomplete.map(({ vendor, reason, since }) => ({ operator: vendor, reason, since }));
}
