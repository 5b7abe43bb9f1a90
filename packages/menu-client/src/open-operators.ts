import { z } from 'zod';
import { MenuError } from './domain/menu-error.ts';
import type { OperatorHttpOptions } from './http/operator-http.ts';
import type { Operator } from './operator/operator.ts';
import { planeatOperator } from './shinsegae/planeat-operator.ts';
import { welstoryOperator } from './welstory/welstory-operator.ts';

/** Variables by name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

const httpUrl = (name: string) =>
  z.url({ protocol: /^https?$/, error: `${name} must be an http or https URL` }).optional();

/** Digits, kept as they are written. */
const count = (name: string, min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `${name} must be an integer from ${min} to ${max}`,
    })
    .optional();

/** Proxies as they are written; error messages never quote them, since they may contain a password. */
const PROXY_FAULT =
  'MENU_PROXY_URLS must be 1 to 20 http or https URLs of proxies, separated by commas, such as http://user:password@proxy.example.org:3128';

function splitProxies(text: string): readonly string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

function isProxyUrl(text: string): boolean {
  try {
    const { protocol, pathname, search, hash, username, password } = new URL(text);
    decodeURIComponent(`${username}${password}`);
    return /^https?:$/.test(protocol) && ['', '/'].includes(`${pathname}${search}${hash}`);
  } catch {
    return false;
  }
}

const Variables = z
  .object({
    WELSTORY_BASE_URL: httpUrl('WELSTORY_BASE_URL'),
    PLANEAT_BASE_URL: httpUrl('PLANEAT_BASE_URL'),
    OPERATOR_TIMEOUT_MS: count('OPERATOR_TIMEOUT_MS', 100, 120_000),
    OPERATOR_MAX_ANSWER_BYTES: count('OPERATOR_MAX_ANSWER_BYTES', 65_536, 67_108_864),
    OPERATOR_REQUESTS_PER_MINUTE: count('OPERATOR_REQUESTS_PER_MINUTE', 4, 60_000),
    PLANEAT_MAX_TREE_BYTES: count('PLANEAT_MAX_TREE_BYTES', 65_536, 67_108_864),
    MENU_PROXY_URLS: z
      .string()
      .refine(
        (text) => {
          const urls = splitProxies(text);
          return urls.length >= 1 && urls.length <= 20 && urls.every(isProxyUrl);
        },
        { error: PROXY_FAULT },
      )
      .optional(),
    WELSTORY_USERNAME: z.string().optional(),
    WELSTORY_PASSWORD: z.string().optional(),
    WELSTORY_DEVICE_ID: z
      .string()
      .regex(
        /^[\x21-\x7e]{1,100}$/,
        'WELSTORY_DEVICE_ID must be a UUID, or 1 to 100 visible ASCII characters',
      )
      .optional(),
  })
  .refine(
    (given) => (given.WELSTORY_USERNAME === undefined) === (given.WELSTORY_PASSWORD === undefined),
    'Set both WELSTORY_USERNAME and WELSTORY_PASSWORD, or neither to leave Welstory out',
  );

/** The variables of the operators, checked. */
export type OperatorEnvironment = Readonly<z.output<typeof Variables>>;

/** The names of the variables that `openOperators` reads. */
export const OPERATOR_VARIABLES: readonly string[] = Object.keys(Variables.shape);

const RENAMED: Readonly<Record<string, string>> = {
  WELSTORY_URL: 'WELSTORY_BASE_URL',
  PLANEAT_URL: 'PLANEAT_BASE_URL',
  MENU_STORE: 'STORE_URL',
};

/**
 * Checks the variables that `openOperators` reads and leaves out all others; an empty or blank one counts as not set.
 * @throws MenuError `invalid_argument`, one sentence per mistake, without the values
 */
export function readOperatorEnvironment(environment: Environment): OperatorEnvironment {
  if (Object(environment) !== environment) {
    throw new MenuError('invalid_argument', 'Pass the variables of an environment, such as process.env.');
  }
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const renamed = Object.entries(RENAMED).filter(([name]) => name in given);
  const parsed = Variables.safeParse(given);
  const faults = [
    ...renamed.map(([name, now]) => `${name} is now ${now}`),
    ...(parsed.error?.issues ?? []).map(({ message }) => message),
  ];
  if (parsed.data === undefined || faults.length > 0) {
    throw new MenuError('invalid_argument', faults.map((fault) => `${fault}.`).join('\n'));
  }
  return parsed.data;
}

/**
 * The operators that an environment names: PlanEAT Choice always, Welstory if `WELSTORY_USERNAME` and
 * `WELSTORY_PASSWORD` are set. `WELSTORY_BASE_URL` and `PLANEAT_BASE_URL` name other hosts; `WELSTORY_DEVICE_ID` is the
 * device that the account is used from, by default one made from the user name.
 * @throws MenuError `invalid_argument`
 */
export function openOperators(
  environment: Environment,
  options: Omit<OperatorHttpOptions, 'baseUrl'> = {},
): readonly Operator[] {
  const given = readOperatorEnvironment(environment);
  const limits: Omit<OperatorHttpOptions, 'baseUrl'> = {
    ...options,
    ...(given.OPERATOR_TIMEOUT_MS === undefined ? {} : { timeoutMs: Number(given.OPERATOR_TIMEOUT_MS) }),
    ...(given.OPERATOR_REQUESTS_PER_MINUTE === undefined
      ? {}
      : { maxRequestsPerMinute: Number(given.OPERATOR_REQUESTS_PER_MINUTE) }),
    ...(given.OPERATOR_MAX_ANSWER_BYTES === undefined
      ? {}
      : { maxAnswerBytes: Number(given.OPERATOR_MAX_ANSWER_BYTES) }),
    ...(given.MENU_PROXY_URLS === undefined ? {} : { proxyUrls: splitProxies(given.MENU_PROXY_URLS) }),
  };
  const planeat = planeatOperator({
    ...limits,
    baseUrl: given.PLANEAT_BASE_URL,
    ...(given.PLANEAT_MAX_TREE_BYTES === undefined
      ? {}
      : { maxTreeBytes: Number(given.PLANEAT_MAX_TREE_BYTES) }),
  });
  const { WELSTORY_USERNAME: username, WELSTORY_PASSWORD: password } = given;
  if (username === undefined || password === undefined) return [planeat];
  const welstory = welstoryOperator({
    ...limits,
    username,
    password,
    baseUrl: given.WELSTORY_BASE_URL,
    deviceId: given.WELSTORY_DEVICE_ID,
  });
  return [welstory, planeat];
}
