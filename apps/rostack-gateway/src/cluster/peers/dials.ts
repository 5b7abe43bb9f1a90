/** An alarm, with the number of times that it was raised in a row. */
export interface ReportedAlarm {
  readonly kind: string;
  readonly message: string;
  /** When it was last raised, in milliseconds since 1970. */
  readonly atMs: number;
  readonly count: number;
}

/** How the followers of a resource are doing. */
export interface FollowedResource {
  readonly subscriptions: number;
  /** Changes between the head of the log and the subscription that is furthest behind; undefined if the log cannot be read. */
  readonly behindChanges: number | undefined;
  /** Changes until that subscription loses its place; undefined if the log cannot be read. */
  readonly marginChanges: number | undefined;
}

/** The requests and connections of one principal. */
export interface ActivePrincipal {
  /** The opaque id, as in the log. */
  readonly principalId: string;
  /** What it authenticates with, such as the id of its token; undefined if that is not known. */
  readonly credentialId: string | undefined;
  /** Requests in the last minutes. */
  readonly requests: number;
  /** Open WebSockets. */
  readonly connections: number;
}

/** Values of one process that its readiness does not include. */
export interface Dials {
  /** When the certificate in use expires, in milliseconds since 1970; undefined without TLS. */
  readonly certificateExpiresAtMs: number | undefined;
  /** Open WebSockets. */
  readonly connections: number;
  /** By resource; only resources with subscriptions. */
  readonly followers: Readonly<Record<string, FollowedResource>>;
  /** The most active ones first. */
  readonly principals: readonly ActivePrincipal[];
  /** The latest first. */
  readonly alarms: readonly ReportedAlarm[];
}

/** How many principals and alarms are shown. */
export const SHOWN_DIALS = { principals: 10, alarms: 20 } as const;

/** Combines the dials of a gateway's processes. */
export function joinDials(all: readonly Dials[]): Dials {
  return {
    certificateExpiresAtMs: least(all.map((dials) => dials.certificateExpiresAtMs)),
    connections: all.reduce((sum, { connections }) => sum + connections, 0),
    followers: joinBy(
      all.flatMap(({ followers }) => Object.entries(followers)),
      (one, other) => ({
        subscriptions: one.subscriptions + other.subscriptions,
        behindChanges: most([one.behindChanges, other.behindChanges]),
        marginChanges: least([one.marginChanges, other.marginChanges]),
      }),
    ),
    principals: mostActive(
      Object.values(
        joinBy(
          all.flatMap(({ principals }) => principals.map((each) => [each.principalId, each] as const)),
          (one, other) => ({
            principalId: one.principalId,
            credentialId: one.credentialId ?? other.credentialId,
            requests: one.requests + other.requests,
            connections: one.connections + other.connections,
          }),
        ),
      ),
    ),
    alarms: all
      .flatMap(({ alarms }) => alarms)
      .sort((one, other) => other.atMs - one.atMs)
      .slice(0, SHOWN_DIALS.alarms),
  };
}

/** The principals with the most requests, then the most connections. */
export function mostActive(principals: readonly ActivePrincipal[]): readonly ActivePrincipal[] {
  return principals
    .toSorted((one, other) => other.requests - one.requests || other.connections - one.connections)
    .slice(0, SHOWN_DIALS.principals);
}

function joinBy<T>(
  entries: readonly (readonly [string, T])[],
  join: (one: T, other: T) => T,
): Readonly<Record<string, T>> {
  const joined = new Map<string, T>();
  for (const [key, value] of entries) {
    const before = joined.get(key);
    joined.set(key, before === undefined ? value : join(before, value));
  }
  return Object.fromEntries(joined);
}

const known = (numbers: readonly (number | undefined)[]) => numbers.filter((each) => each !== undefined);
const least = (numbers: readonly (number | undefined)[]): number | undefined =>
  known(numbers).length === 0 ? undefined : Math.min(...known(numbers));
const most = (numbers: readonly (number | undefined)[]): number | undefined =>
  known(numbers).length === 0 ? undefined : Math.max(...known(numbers));
