import { RELEASES, releaseSchemas } from 'rostack-core';

type Schema = Readonly<Record<string, unknown>>;

/** The dotted names of all members of a discovery document in any release, such as `resources.events.name`. */
export function documentMembers(): readonly string[] {
  const found = new Set<string>();
  const visit = (node: unknown, at: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { properties, items, anyOf, oneOf, allOf } = node as Schema;
    for (const [name, member] of Object.entries((properties ?? {}) as Schema)) {
      found.add(`${at}${name}`);
      visit(member, `${at}${name}.`);
    }
    for (const branch of [items, anyOf, oneOf, allOf].flat()) visit(branch, at);
  };
  for (const release of RELEASES) visit(releaseSchemas(release).get('discovery.schema.json'), '');
  return [...found];
}

/** The dotted names of the members that a document has; maps such as `permissions` count as one member. */
export function membersIn(document: unknown, known: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: unknown, at: string): void => {
    if (Array.isArray(value)) for (const item of value as unknown[]) visit(item, at);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        if (!known.has(`${at}${name}`)) continue;
        found.add(`${at}${name}`);
        visit(member, `${at}${name}.`);
      }
    }
  };
  visit(document, '');
  return found;
}
