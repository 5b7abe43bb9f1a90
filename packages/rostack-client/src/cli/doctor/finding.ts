/** What a check found: fine, worth knowing, or wrong with what to do. */
export interface Finding {
  readonly check: CheckName;
  readonly level: 'ok' | 'warning' | 'fault';
  /** One sentence. */
  readonly says: string;
  /** What to do about it. */
  readonly todo?: string;
}

/** Every check, in the order that they are made. */
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

export const fault = (check: CheckName, says: string, todo: string): Finding => ({
  check,
  level: 'fault',
  says,
  todo,
});
