import type { Observation, Station } from './records.ts';
import { STATIONS } from './stations.ts';

/** How many observations the sample keeps; older ones are deleted. */
export const KEPT_OBSERVATIONS = 600;

/** After how many newer observations a reading is verified. */
const VERIFIED_AFTER = 30;

/** After how many ticks one station goes into maintenance, and after as many again comes back. */
const MAINTENANCE_EVERY = 20;

export type FeedChange =
  | { readonly resource: 'observations'; readonly op: 'put'; readonly record: Observation }
  | { readonly resource: 'observations'; readonly op: 'delete'; readonly id: string }
  | { readonly resource: 'stations'; readonly op: 'put'; readonly record: Station };

const round = (value: number, digits: number) => Number(value.toFixed(digits));

function observe(station: Station, nowMs: number, random: () => number): Observation {
  const hourKst = (new Date(nowMs).getUTCHours() + 9) % 24;
  const daily = 5 * Math.sin(((hourKst - 9) / 24) * 2 * Math.PI);
  const { latitude, elevation_m: elevationM } = station.location;
  const observedAt = new Date(nowMs).toISOString();
  return {
    id: `${station.id}-${observedAt.replaceAll(/[-:.]/g, '')}`,
    station_id: station.id,
    observed_at: observedAt,
    temperature_c: round(30 - (latitude - 33) * 2 - elevationM * 0.0065 + daily + (random() - 0.5) * 3, 1),
    humidity_percent: Math.round(50 + random() * 40),
    pressure_hpa: round(1013.25 * Math.exp(-elevationM / 8434) + (random() - 0.5) * 4, 1),
    wind: { speed_mps: round(random() ** 2 * 14, 1), direction_deg: Math.floor(random() * 360) },
    quality: 'provisional',
  };
}

/**
 * Invents what the observatory's instruments would say: each tick one new observation, the verification of an earlier one, the deletion
 * of the oldest above `KEPT_OBSERVATIONS`, and now and then a station that goes into maintenance or comes back.
 *
 * @param kept observations that exist already, oldest first
 * @param random uniform in [0, 1)
 */
export function createFeed(
  kept: readonly Observation[],
  random: () => number,
): { tick(nowMs: number): readonly FeedChange[] } {
  const observations = [...kept];
  const stations = [...STATIONS];
  let ticks = 0;

  function tick(nowMs: number): readonly FeedChange[] {
    const changes: FeedChange[] = [];
    ticks += 1;

    if (ticks % MAINTENANCE_EVERY === 0) {
      const resting = stations.findIndex((station) => station.status === 'maintenance');
      const index = resting >= 0 ? resting : Math.floor(random() * stations.length);
      const station = stations[index];
      if (station !== undefined) {
        const record: Station = { ...station, status: resting >= 0 ? 'online' : 'maintenance' };
        stations[index] = record;
        changes.push({ resource: 'stations', op: 'put', record });
      }
    }

    const online = stations.filter((station) => station.status === 'online');
    const station = online[Math.floor(random() * online.length)];
    if (station !== undefined) {
      const record = observe(station, nowMs, random);
      observations.push(record);
      changes.push({ resource: 'observations', op: 'put', record });
    }

    const index = observations.length - 1 - VERIFIED_AFTER;
    const due = observations[index];
    if (due?.quality === 'provisional') {
      const record: Observation = { ...due, quality: 'verified' };
      observations[index] = record;
      changes.push({ resource: 'observations', op: 'put', record });
    }

    while (observations.length > KEPT_OBSERVATIONS) {
      const oldest = observations.shift();
      if (oldest !== undefined) changes.push({ resource: 'observations', op: 'delete', id: oldest.id });
    }
    return changes;
  }

  return { tick };
}
