import { DEFAULT_RELEASE, RELEASES } from 'rostack-core';
import { z } from 'zod';
import { secret } from './secret.ts';
import { duration, flag, text, url, value } from './values.ts';

const MAX_WORKERS = 256;

/** Which release of the protocol's description is served. */
export const protocolSection = z.strictObject({
  release: value(z.enum(RELEASES), {
    description:
      'Release of the discovery document: 2026-08-13 declares the errors that may be sent, 2026-08-12 has no place for them. Nothing else differs.',
    write: RELEASES.join(' or '),
  }).default(DEFAULT_RELEASE),
});

/** When `/readyz` of the admin listener reports not ready. */
export const healthSection = z
  .strictObject({
    max_tail_lag: duration('100ms', '1h', 'How far the gateway may lag behind the log.').prefault('10s'),
    store_timeout: duration('10ms', '1m', 'For the store to answer.').prefault('2s'),
    write_trial_interval: duration(
      '100ms',
      '1h',
      'After a write that failed, until /readyz tries one: only then, and never while writes work.',
    ).prefault('5s'),
  })
  .transform((section) => ({
    maxTailLagMs: section.max_tail_lag,
    storeTimeoutMs: section.store_timeout,
    writeTrialIntervalMs: section.write_trial_interval,
  }));

/** A record that is written to measure how long its event takes. */
export const canarySection = z
  .strictObject({
    resource: text('Whose records have id and written_at, two strings.', 'the name of a resource'),
    token: secret('A shared token that may follow the resource.'),
    id: text(
      'Of the record; each gateway of a database has its own.',
      'an id, such as the name of the machine',
    ).default('canary'),
    interval: duration('100ms', '1h', 'Between two writes.').prefault('10s'),
    url: url(
      ['wss:', 'ws:'],
      'Where it follows, such as a proxy in front of the gateway. Absent: what discovery advertises.',
      'wss://data.example/gateway',
    ).optional(),
  })
  .transform(({ interval, ...section }) => ({
    ...section,
    /** The shared token that it follows with. */
    token: section.token,
    intervalMs: interval,
  }));

/** `/metrics` of the admin listener. */
export const metricsSection = z
  .strictObject({
    enabled: flag('Whether /metrics is served.').default(true),
    process: flag('Whether metrics of the process (memory, event loop) are among them.').default(true),
    canary: canarySection.optional().meta({
      description: 'Writes a record again and again and measures how long its event takes. Absent: off.',
    }),
  })
  .transform((section) => ({
    ...section,
    /** The record whose path to followers is measured; undefined if none is. */
    canary: section.canary,
  }));

/** What is written to standard error. */
export const logSection = z.strictObject({
  level: value(z.enum(['debug', 'info', 'warn', 'error', 'silent']), {
    description: 'The least level that is written.',
    write: 'debug, info, warn, error or silent',
  }).default('info'),
  format: value(z.enum(['json', 'text']), {
    description: 'json: one object a line; text: for people.',
    write: 'json or text',
  }).default('json'),
});

/** OpenTelemetry. */
export const telemetrySection = z
  .strictObject({
    otlp_endpoint: url(
      ['http:', 'https:'],
      'Where traces go (OTLP over HTTP); absent: there are none.',
      'http://localhost:4318',
    ).optional(),
    otlp_headers: secret('Headers of the exporter, as name=value,name=value.').optional(),
    service_name: text('Name of this service in traces.', 'a name').default('rostack-gateway'),
  })
  .transform((section) => ({
    otlpEndpoint: section.otlp_endpoint,
    /** Header fields for the collector; undefined if there are none. */
    otlpHeaders: section.otlp_headers,
    serviceName: section.service_name,
  }));

/** What happens on starting with a breaking change under an unchanged API version. */
export const compatibilitySection = z
  .strictObject({
    allow_breaking: flag('Starts all the same.').default(false),
  })
  .transform((section) => ({ allowBreaking: section.allow_breaking }));

/** How many processes serve behind one port. */
export const workers = value(z.union([z.literal('auto'), z.int().min(1).max(MAX_WORKERS)]), {
  description: `Processes that serve behind one port, of \`start\`: 1 to ${MAX_WORKERS}, or auto: one for each core.`,
  write: `an integer from 1 to ${MAX_WORKERS}, or auto`,
});

/** How the gateway shuts down. */
export const shutdownSection = z
  .strictObject({
    drain_time: duration('0s', '1h', 'How long followers may stay after SIGTERM.').prefault('10s'),
  })
  .transform((section) => ({ drainTimeMs: section.drain_time }));
