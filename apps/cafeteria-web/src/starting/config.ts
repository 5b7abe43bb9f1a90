import { MenuError, type OperatorEnvironment, parseStoreUrl, readOperatorEnvironment } from 'menu-client';
import { z } from 'zod';
import type { ChatSecrets } from '../routes/chats.ts';
import type { RateLimits } from '../running/rate-limit.ts';
import { isProxyNetwork, LOOPBACK_PROXIES, PRIVATE_PROXIES } from '../running/trusted-proxies.ts';
import { ANSWER_WAIT_MS, PAGE_WAIT_MS } from '../running/waits.ts';

/** Thrown for settings that cannot be used; the message has one sentence per fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'invalid_config';
  readonly retryable = false;
}

const port = (name: string) =>
  z.coerce
    .number({ error: `${name} must be a port number, 0 to 65535` })
    .int(`${name} must be an integer`)
    .min(0, `${name} must be a port number, 0 to 65535`)
    .max(65_535, `${name} must be a port number, 0 to 65535`);

const origin = (name: string) =>
  z
    .url({ protocol: /^https?$/, error: `${name} must be an http or https URL` })
    .transform((text) => text.replace(/\/+$/, ''))
    .refine(
      (text) => new URL(text).origin === text,
      `${name} must be scheme and host only, such as https://menu.example.org`,
    );

const perMinute = (name: string) =>
  z.coerce.number().int().min(0, `${name} must be 0 (no limit) or more requests per minute`);

const PROXIES_FAULT =
  'CAFETERIA_TRUST_PROXY must be addresses and networks separated by commas, such as 127.0.0.1,10.0.0.0/8, or true or false';
const PAGE_WAIT_FAULT = `CAFETERIA_PAGE_WAIT_MS must be an integer from 0 to ${ANSWER_WAIT_MS}`;

/** `true`: proxies on this machine and in private networks; `false`: none. */
function proxyNetworks(text: string): readonly string[] {
  const named = text.split(',').map((each) => each.trim());
  if (/^(?:true|1|yes|on)$/i.test(text)) return PRIVATE_PROXIES;
  return /^(?:false|0|no|off)$/i.test(text) ? [] : named.filter((each) => each !== '');
}

const Environment = z.object({
  CAFETERIA_HOST: z.string().default('127.0.0.1'),
  CAFETERIA_PORT: port('CAFETERIA_PORT').default(3000),
  CAFETERIA_METRICS_PORT: port('CAFETERIA_METRICS_PORT').optional(),
  CAFETERIA_TRUST_PROXY: z
    .string()
    .transform(proxyNetworks)
    .refine((networks) => networks.every(isProxyNetwork), PROXIES_FAULT)
    .optional(),
  CAFETERIA_PAGE_WAIT_MS: z.coerce
    .number({ error: PAGE_WAIT_FAULT })
    .int(PAGE_WAIT_FAULT)
    .min(0, PAGE_WAIT_FAULT)
    .max(ANSWER_WAIT_MS, PAGE_WAIT_FAULT)
    .default(PAGE_WAIT_MS),
  CAFETERIA_SEARCH_PER_MINUTE: perMinute('CAFETERIA_SEARCH_PER_MINUTE').default(240),
  CAFETERIA_MCP_PER_MINUTE: perMinute('CAFETERIA_MCP_PER_MINUTE').default(240),
  CAFETERIA_PHOTOS_PER_MINUTE: perMinute('CAFETERIA_PHOTOS_PER_MINUTE').default(1200),
  CAFETERIA_READINGS_PER_MINUTE: perMinute('CAFETERIA_READINGS_PER_MINUTE').default(60),
  DATA_DIR: z.string().default('./data'),
  PUBLIC_URL: origin('PUBLIC_URL').optional(),
  CAFETERIA_AUTHORITY: z
    .string()
    .regex(
      /^(?=.{1,253}$)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/,
      'CAFETERIA_AUTHORITY must be a domain name in lower case, such as menu.example.org',
    )
    .optional(),
  CAFETERIA_SOURCE_URL: z
    .url({ protocol: /^https?$/, error: 'CAFETERIA_SOURCE_URL must be an http or https URL' })
    .optional(),
  KAKAO_SKILL_SECRET: z
    .string()
    .regex(/^[\w-]{20,200}$/, 'KAKAO_SKILL_SECRET must be 20 to 200 letters, digits, _ and -')
    .optional(),
  SLACK_SIGNING_SECRET: z
    .string()
    .min(20, 'SLACK_SIGNING_SECRET must be the signing secret of the Slack app')
    .optional(),
  MENU_UPSTREAM: z
    .enum(['sandbox', 'live'], { error: 'MENU_UPSTREAM must be sandbox or live' })
    .default('sandbox'),
  PHOTO_ORIGINS: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== ''),
    )
    .pipe(z.array(origin('PHOTO_ORIGINS'))),
  CAFETERIA_PREFETCH_SECONDS: z.coerce
    .number({ error: 'CAFETERIA_PREFETCH_SECONDS must be a number of seconds, 0 for none' })
    .min(0, 'CAFETERIA_PREFETCH_SECONDS must be a number of seconds, 0 for none')
    .default(60),
  STORE_URL: z.string().optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    })
    .default('info'),
});

/** The names of this service's own variables. */
export const SETTINGS: readonly string[] = Object.keys(Environment.shape);

export interface LiveUpstream {
  readonly kind: 'live';
  /** What menu-client's `openOperators` is called with. */
  readonly environment: OperatorEnvironment;
}

/** Everything that can be set, resolved once at start. */
export interface CafeteriaConfig {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Prometheus metrics on this port of 127.0.0.1; absent: none. */
  readonly metricsPort?: number;
  /** Scheme and host of absolute links; absent only on a loopback address. */
  readonly publicUrl?: string;
  /** Secrets of the chats; a chat without one is off. */
  readonly chats: ChatSecrets;
  /** The domain that permanent names are under. @default the host of `publicUrl` */
  readonly authority?: string;
  /** Where the source code is; absent when it is not public. */
  readonly sourceUrl?: string;
  /** Addresses and networks of proxies whose `X-Forwarded-For` says who asks. */
  readonly trustedProxies: readonly string[];
  /** How long a page may wait for what has to be read first, in ms. */
  readonly pageWaitMs: number;
  readonly limits: RateLimits;
  /** Folder of the database, the photo cache and nothing else. */
  readonly dataDir: string;
  readonly storeUrl: string;
  /** Pause between two rounds of refreshing today and the six days after it; 0: nothing is read ahead. */
  readonly prefetchIntervalMs: number;
  readonly upstream: { readonly kind: 'sandbox' } | LiveUpstream;
  /** Origins that photos may come from besides the operators' own; these may be on private addresses. */
  readonly photoOrigins: readonly string[];
  readonly logLevel: string;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/;

/** True for an address that others reach this service at: on a loopback port, a proxy then passes them on. */
function isPublic(url: string | undefined): boolean {
  return url !== undefined && !LOOPBACK.test(new URL(url).hostname);
}

/** Reports what menu-client refuses as a wrong setting. */
function checked<T>(check: () => T, setting = ''): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof MenuError) throw new ConfigError(`${setting}${error.message}`);
    throw error;
  }
}

/**
 * Reads the settings from environment variables; empty and blank ones count as not set.
 *
 * @throws ConfigError `invalid_config`
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): CafeteriaConfig {
  if (Object(environment) !== environment) {
    throw new ConfigError('Pass the variables of an environment, such as process.env.');
  }
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map(({ message }) => `${message}.`).join('\n'));
  }
  const env = parsed.data;
  if (env.PUBLIC_URL === undefined && !LOOPBACK.test(env.CAFETERIA_HOST)) {
    throw new ConfigError(
      'Set PUBLIC_URL (such as https://menu.example.org) when CAFETERIA_HOST is not a loopback address.',
    );
  }
  const live = env.MENU_UPSTREAM === 'live';
  // Sample menus and real ones never share a database.
  const storeUrl = env.STORE_URL ?? `sqlite:${env.DATA_DIR}/${live ? 'menus' : 'sample-menus'}.db`;
  checked(() => parseStoreUrl(storeUrl), 'STORE_URL: ');
  return {
    host: env.CAFETERIA_HOST,
    port: env.CAFETERIA_PORT,
    ...(env.CAFETERIA_METRICS_PORT === undefined ? {} : { metricsPort: env.CAFETERIA_METRICS_PORT }),
    ...(env.PUBLIC_URL === undefined ? {} : { publicUrl: env.PUBLIC_URL }),
    ...(env.CAFETERIA_AUTHORITY === undefined ? {} : { authority: env.CAFETERIA_AUTHORITY }),
    ...(env.CAFETERIA_SOURCE_URL === undefined ? {} : { sourceUrl: env.CAFETERIA_SOURCE_URL }),
    chats: {
      ...(env.KAKAO_SKILL_SECRET === undefined ? {} : { kakaoSkill: env.KAKAO_SKILL_SECRET }),
      ...(env.SLACK_SIGNING_SECRET === undefined ? {} : { slackSigning: env.SLACK_SIGNING_SECRET }),
    },
    trustedProxies: env.CAFETERIA_TRUST_PROXY ?? (isPublic(env.PUBLIC_URL) ? LOOPBACK_PROXIES : []),
    pageWaitMs: env.CAFETERIA_PAGE_WAIT_MS,
    limits: {
      searchPerMinute: env.CAFETERIA_SEARCH_PER_MINUTE,
      mcpPerMinute: env.CAFETERIA_MCP_PER_MINUTE,
      photosPerMinute: env.CAFETERIA_PHOTOS_PER_MINUTE,
      readingsPerMinute: env.CAFETERIA_READINGS_PER_MINUTE,
    },
    dataDir: env.DATA_DIR,
    storeUrl,
    prefetchIntervalMs: env.CAFETERIA_PREFETCH_SECONDS * 1000,
    upstream: live
      ? { kind: 'live', environment: checked(() => readOperatorEnvironment(given)) }
      : { kind: 'sandbox' },
    photoOrigins: env.PHOTO_ORIGINS,
    logLevel: env.LOG_LEVEL,
  };
}
