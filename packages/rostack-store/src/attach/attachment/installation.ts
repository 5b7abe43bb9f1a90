import { createHash } from 'node:crypto';
import { qualified } from '../source/query.ts';
import type { AttachedTable } from './attachment.ts';

/** Names of the objects that are installed for one attachment. */
export interface InstalledNames {
  /** With its schema. */
  readonly inbox: string;
  /** On PostgreSQL the sequence that is 1 while the leader sleeps; with its schema. */
  readonly asleep: string;
  /** The function for rows and for `TRUNCATE`; the names of the others begin with it. */
  readonly capture: string;
  /** Prefix of the triggers' names. It depends on the store's schema, because two stores may have the same table attached. */
  readonly triggers: string;
}

export function installedNames({ schema, number }: Pick<AttachedTable, 'schema' | 'number'>): InstalledNames {
  const store = createHash('sha256').update(schema).digest('hex').slice(0, 8);
  return {
    inbox: qualified(schema, `inbox_${number}`),
    asleep: qualified(schema, `asleep_${number}`),
    capture: `capture_${number}`,
    triggers: `rostack_${number}_${store}_`,
  };
}

/** Something that is created in the database for an attachment. */
export interface InstalledObject {
  /** As `comment on` names it: `function "rostack"."capture_1"()`. */
  readonly name: string;
  /** The statements that create it. */
  readonly create: readonly string[];
  /** The body, if it is a function. */
  readonly body?: string;
}
