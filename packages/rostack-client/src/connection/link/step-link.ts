import { type RetryRules, retryDelay } from '../retry/retry.ts';

/** One connection of a link. */
export interface LinkConnection {
  /** Which one it is of all the connections that the link has opened. */
  readonly number: number;
  /** Authenticated, and every subscription answered. */
  readonly isReady: boolean;
  /** It has lasted for one heartbeat interval. */
  readonly isHealthy: boolean;
}

/**
 * The connections of a link: one, or two while the server drains the first. Times are monotonic milliseconds.
 * @see protocol section 8
 */
export interface LinkState {
  readonly isWanted: boolean;
  readonly main: LinkConnection | undefined;
  /** Takes over from `main` once it is ready. */
  readonly next: LinkConnection | undefined;
  readonly opened: number;
  /** Connections since the last healthy one that were lost or could not be made. */
  readonly failures: number;
  /** When the next connection is opened. */
  readonly openAtMs: number | undefined;
  /** Where the server wants the client to connect next. */
  readonly gatewayUrl: string | undefined;
}

export const IDLE_LINK: LinkState = {
  isWanted: false,
  main: undefined,
  next: undefined,
  opened: 0,
  failures: 0,
  openAtMs: undefined,
  gatewayUrl: undefined,
};

/** What happens to a link. `number` says which connection; messages of an abandoned one are ignored. */
export type LinkInput =
  /** There are subscriptions, or no more subscriptions. */
  | { readonly kind: 'wanted'; readonly isWanted: boolean; readonly nowMs: number }
  | { readonly kind: 'ready'; readonly number: number }
  | { readonly kind: 'healthy'; readonly number: number }
  | {
      readonly kind: 'closed';
      readonly number: number;
      readonly nowMs: number;
      readonly random: number;
      readonly serverDelayMs?: number | undefined;
    }
  /** The server is draining, or discovery names another gateway. */
  | {
      readonly kind: 'go_away';
      readonly number: number;
      readonly nowMs: number;
      readonly random: number;
      readonly reconnectAfterMs: number;
      readonly gatewayUrl?: string | undefined;
    }
  | { readonly kind: 'tick'; readonly nowMs: number };

export type LinkEffect =
  | { readonly kind: 'open'; readonly number: number; readonly gatewayUrl: string | undefined }
  | { readonly kind: 'leave'; readonly number: number }
  /** The discovery document may be outdated. */
  | { readonly kind: 'doubt_discovery' };

export interface LinkStep {
  readonly state: LinkState;
  readonly effects: readonly LinkEffect[];
}

/** Failures in a row after which discovery is asked again. */
const FAILURES_TO_DOUBT = 3;

/** Decides when connections are opened and left. Pure: time and random numbers are inputs. */
export function stepLink(rules: RetryRules, state: LinkState, input: LinkInput): LinkStep {
  switch (input.kind) {
    case 'wanted':
      return want(state, input.isWanted, input.nowMs);
    case 'ready':
      return becomeReady(state, input.number);
    case 'healthy':
      return recover(state, input.number);
    case 'closed':
      return lose(rules, state, input);
    case 'go_away':
      return makeWay(rules, state, input);
    default:
      return openIfDue(state, input.nowMs);
  }
}

const keep = (state: LinkState, effects: readonly LinkEffect[] = []): LinkStep => ({ state, effects });

const leave = (connection: LinkConnection | undefined): readonly LinkEffect[] =>
  connection === undefined ? [] : [{ kind: 'leave', number: connection.number }];

function want(state: LinkState, isWanted: boolean, nowMs: number): LinkStep {
  if (isWanted === state.isWanted) return keep(state);
  if (isWanted) return openIfDue({ ...state, isWanted, openAtMs: state.openAtMs ?? nowMs }, nowMs);
  const { opened, failures, openAtMs } = state;
  // A link that waits after failures keeps waiting: unsubscribing and subscribing must not shorten the delay.
  return keep({ ...IDLE_LINK, opened, failures, openAtMs: failures > 0 ? openAtMs : undefined }, [
    ...leave(state.main),
    ...leave(state.next),
  ]);
}

function openIfDue(state: LinkState, nowMs: number): LinkStep {
  if (!state.isWanted || state.openAtMs === undefined || nowMs < state.openAtMs) return keep(state);
  if (state.next !== undefined) return keep({ ...state, openAtMs: undefined });
  const number = state.opened + 1;
  const connection: LinkConnection = { number, isReady: false, isHealthy: false };
  const opened = { ...state, opened: number, openAtMs: undefined };
  return keep(state.main === undefined ? { ...opened, main: connection } : { ...opened, next: connection }, [
    { kind: 'open', number, gatewayUrl: state.gatewayUrl },
  ]);
}

function becomeReady(state: LinkState, number: number): LinkStep {
  const { main, next } = state;
  if (number === next?.number) {
    return keep(
      { ...state, main: { ...next, isReady: true }, next: undefined, gatewayUrl: undefined },
      leave(main),
    );
  }
  if (number !== main?.number) return keep(state);
  return keep({ ...state, main: { ...main, isReady: true } });
}

function recover(state: LinkState, number: number): LinkStep {
  const { main } = state;
  if (number !== main?.number) return keep(state);
  return keep({ ...state, main: { ...main, isHealthy: true }, failures: 0 });
}

function lose(
  rules: RetryRules,
  state: LinkState,
  { number, nowMs, random, serverDelayMs }: Extract<LinkInput, { kind: 'closed' }>,
): LinkStep {
  const { main, next } = state;
  if (number !== main?.number && number !== next?.number) return keep(state);
  if (number === main?.number && next !== undefined) {
    return keep({ ...state, main: next, next: undefined });
  }
  const failures = state.failures + 1;
  const delayMs = retryDelay(rules, { failures, random, serverDelayMs });
  const rest = number === main?.number ? { ...state, main: undefined } : { ...state, next: undefined };
  // The URL that the server asked for is tried once; after that discovery says where to connect.
  const gatewayUrl = rest.openAtMs === undefined ? undefined : rest.gatewayUrl;
  const openAtMs = Math.max(rest.openAtMs ?? 0, nowMs + delayMs);
  return keep(
    { ...rest, failures, openAtMs, gatewayUrl },
    failures % FAILURES_TO_DOUBT === 0 ? [{ kind: 'doubt_discovery' }] : [],
  );
}

function makeWay(
  rules: RetryRules,
  state: LinkState,
  { number, nowMs, random, reconnectAfterMs, gatewayUrl }: Extract<LinkInput, { kind: 'go_away' }>,
): LinkStep {
  const { main, next } = state;
  if (number !== main?.number || next !== undefined) return keep(state);
  // A server that sends clients away at once must not make them reconnect in a tight loop.
  const failures = main.isHealthy ? state.failures : state.failures + 1;
  const delayMs = main.isHealthy
    ? Math.min(reconnectAfterMs, rules.maxServerDelayMs)
    : retryDelay(rules, { failures, random, serverDelayMs: reconnectAfterMs });
  return keep(
    { ...state, failures, openAtMs: nowMs + delayMs, gatewayUrl },
    gatewayUrl === undefined ? [] : [{ kind: 'doubt_discovery' }],
  );
}
