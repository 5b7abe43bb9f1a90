import { z } from 'zod';
import { type FaultRule, faultRulesSchema } from '../traffic/fault-rule.ts';
import { SandboxError } from './errors.ts';

/** The shapes that a sandbox can answer in. */
export const SCENARIOS = ['sample', 'recorded'] as const;

/** In which shapes a sandbox answers: one of `SCENARIOS`. */
export type Scenario = (typeof SCENARIOS)[number];

/** Options of a sandbox; all are optional. */
export interface SandboxOptions {
  /** Decides menus, photos and which requests get a fault. @default 'menu-sandbox' */
  readonly seed?: string;
  /** Loopback port; 0 picks a free one. @default 0 */
  readonly port?: number;
  /** @default [] */
  readonly faults?: readonly FaultRule[];
  /** Milliseconds since 1970, for token expiry and "now". @default Date.now */
  readonly clock?: () => number;
  /**
   * `sample`: answers in the shapes that most clients read; `recorded`: as recordings of the live operators have them,
   * with one session per account, photos that come later in the day, and meals that are added during the day.
   * @default 'sample'
   */
  readonly scenario?: Scenario;
  /** How long each answer of an API takes, milliseconds, 0 to 10,000. @default 2 */
  readonly latencyMs?: number;
  /**
   * How long a Welstory token is valid, in ms; at least 1,000.
   * @default 3_600_000
   */
  readonly tokenTtlMs?: number;
  /** The only Welstory account. @default sandbox / sandbox */
  readonly credentials?: {
    /** Name of the account. */
    readonly username: string;
    /** Its password. */
    readonly password: string;
  };
}

/** The Welstory account of a sandbox, unless it is given another. */
export const DEFAULT_CREDENTIALS = { username: 'sandbox', password: 'sandbox' } as const;

const optionsSchema = z.strictObject({
  seed: z.string().min(1).max(200).default('menu-sandbox'),
  port: z.int().min(0).max(65_535).default(0),
  faults: faultRulesSchema.default([]),
  clock: z.custom<() => number>((value) => typeof value === 'function').default(() => Date.now),
  scenario: z.enum(SCENARIOS).default('sample'),
  latencyMs: z.int().min(0).max(10_000).default(2),
  tokenTtlMs: z.int().min(1000).default(3_600_000),
  credentials: z
    .strictObject({ username: z.string().min(1), password: z.string().min(1) })
    .default(DEFAULT_CREDENTIALS),
});

export type ResolvedOptions = z.output<typeof optionsSchema>;

/** @throws SandboxError `invalid_options` */
export function parseOptions(options: SandboxOptions): ResolvedOptions {
  const parsed = optionsSchema.safeParse(options);
  if (parsed.success) return parsed.data;
  throw new SandboxError('invalid_options', z.prettifyError(parsed.error));
}

/** @throws SandboxError `invalid_options` */
export function parseFaults(value: unknown): FaultRule[] {
  const parsed = faultRulesSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new SandboxError('invalid_options', z.prettifyError(parsed.error));
}
