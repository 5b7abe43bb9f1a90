/** What a check found: all is well, something worth knowing, something wrong and how to fix it, or nothing, because of another fault. */
export interface Finding {
  readonly check: CheckName;
  readonly level: 'ok' | 'warning' | 'fault' | 'unchecked';
  /** One sentence. */
  readonly says: string;
  /** What to do about it. */
  readonly todo?: string;
}

/** Every check, in the order in which they run. */
export const CHECK_NAMES = [
  'address',
  'proxy',
  'dns',
  'connection',
  'tls',
  'discovery',
  'release',
  'clock',
  'schemas',
  'token',
  'read',
  'websocket',
  'follow',
] as const;

export type CheckName = (typeof CHECK_NAMES)[number];

export const ok = (check: CheckName, says: string): Finding => ({ check, level: 'ok', says });

export const warning = (check: CheckName, says: string, todo: string): Finding => ({
  check,
  level: 'warning',
  says,
  todo,
});

export const unchecked = (check: CheckName, says: string, todo: string): Finding => ({
  check,
  level: 'unchecked',
  says,
  todo,
});

export const fault = (check: CheckName, says: string, todo: string): Finding => ({
  check,
  level: 'fault',
  says,
  todo,
});
