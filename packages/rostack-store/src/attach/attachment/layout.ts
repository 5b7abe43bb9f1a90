import { parseTrustedJson } from 'rostack-core';

/** The current state of a table. */
export interface LayoutLook {
  /** JSON of facts, by name; null if the table is gone. */
  readonly layout: string | null;
  readonly stamp: string;
}

type Layout = Readonly<Record<string, string | boolean>>;

/** Whether a table was attached by a release with another form. @param form that of this release, `Installer.form` */
export function isOfOtherRelease(layout: string, form: string): boolean {
  return (parseTrustedJson(layout) as Layout)['form'] !== form;
}

/** A layout without its columns, which are compared separately if only the form of their types may have changed. */
export function withoutColumns(layout: string): string {
  const facts = Object.entries(parseTrustedJson(layout) as Layout);
  return JSON.stringify(Object.fromEntries(facts.filter(([fact]) => !fact.startsWith('column '))));
}

/** Describes in readable form what happened to a table since it was attached; undefined if nothing relevant did. */
export function describeChange(before: string, now: string | null): string | undefined {
  if (now === before) return undefined;
  const was = parseTrustedJson(before) as Layout;
  if (now === null) return `the table ${was['name']} is gone, or was created again without its triggers`;
  const is = parseTrustedJson(now) as Layout;
  const changes = Object.entries(was)
    .filter(([fact, state]) => is[fact] !== state)
    .map(([fact, state]) => `${fact}: ${is[fact] ?? 'gone'}, was ${state}`);
  return changes.length === 0 ? undefined : `${was['name']} is not as it was attached: ${changes.join('; ')}`;
}
