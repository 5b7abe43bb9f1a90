import { PAGE_CURSOR_LIFETIME_MS } from 'rostack-server';
import { z } from 'zod';
import { directUrl, secret, storeUrl } from './secret.ts';
import { count, duration, size, value } from './values.ts';

/** Where records are kept. */
export const storeSection = z
  .strictObject({
    url: storeUrl.optional(),
    direct_url: directUrl.optional(),
    role: value(z.enum(['primary', 'replica']), {
      description:
        'PostgreSQL: replica for a gateway that only reads, at a standby. It takes the keys of the gateways at the primary.',
      write: 'primary or replica',
    }).default('primary'),
    schema: value(z.string().regex(/^(?!pg_)[a-z_][a-z0-9_]{0,62}$/), {
      description: 'PostgreSQL: the schema that holds the tables.',
      write: 'a name of lower-case letters, digits and _, such as rostack',
    }).default('rostack'),
    synchronous: value(z.enum(['full', 'normal']), {
      description: 'SQLite: normal may lose the last changes when the machine (not the process) dies.',
      write: 'full or normal',
    }).default('full'),
    max_connections: count(2, 1_000, 'PostgreSQL: connections at most.').default(10),
    max_long_reads: count(
      1,
      16,
      'Lists that no index bounds which are read at once: SQLite reads each in a thread of its own, PostgreSQL each on a connection.',
    ).default(1),
    read_timeout: duration('100ms', '5m', 'Time for one page or read.').prefault('2s'),
    write_timeout: duration('100ms', '5m', 'Time for one write, waiting included.').prefault('10s'),
    poll_interval: duration('10ms', '1m', "How often others' writes are looked for without a hint.").prefault(
      '500ms',
    ),
    max_record_size: size('1KiB', "A record's JSON text.").prefault('1MiB'),
  })
  .transform((section) => ({
    /** With user and password if these are needed. */
    url: section.url,
    /** URL of the same database without a pooler; undefined if `url` leads to the server itself. */
    directUrl: section.direct_url,
    role: section.role,
    schema: section.schema,
    synchronous: section.synchronous,
    maxConnections: section.max_connections,
    maxLongReads: section.max_long_reads,
    readTimeoutMs: section.read_timeout,
    writeTimeoutMs: section.write_timeout,
    pollIntervalMs: section.poll_interval,
    maxRecordBytes: section.max_record_size,
  }));

const PAGE_CURSOR_LIFETIME = `${PAGE_CURSOR_LIFETIME_MS / 60_000}m`;

/** What is kept of one resource unless the configuration says otherwise: `max_changes`, and `max_size` in bytes. */
export const USUAL_RETENTION = { maxChanges: 1_000_000, maxBytes: 1_073_741_824 } as const;

/** How much history is kept; anything beyond one of the limits is dropped. */
export const retentionSection = z
  .strictObject({
    max_age: duration(
      PAGE_CURSOR_LIFETIME,
      '3650d',
      'Age of a change.',
      `a chain of pages, which is read from history, is promised for ${PAGE_CURSOR_LIFETIME}`,
    ).prefault('7d'),
    max_changes: count(
      1,
      1_000_000_000,
      `Changes of one resource. More of them within ${PAGE_CURSOR_LIFETIME} end chains of pages early.`,
    ).default(USUAL_RETENTION.maxChanges),
    max_size: size(
      '1MiB',
      `Past versions of one resource. More of them within ${PAGE_CURSOR_LIFETIME} end chains of pages early.`,
    ).prefault('1GiB'),
    interval: duration('1s', '1d', 'How often old history is dropped.').prefault('60s'),
  })
  .transform((section) => ({
    maxAgeMs: section.max_age,
    maxChanges: section.max_changes,
    maxBytes: section.max_size,
    intervalMs: section.interval,
  }));

const natsServer = value(z.string().regex(/^[A-Za-z0-9._[\]:-]+:\d{1,5}$/), {
  write: 'a host and a port, such as localhost:4222',
});

/** What wakes gateways that share a PostgreSQL database. */
export const hintsSection = z
  .strictObject({
    nats_servers: z.array(natsServer).default([]).meta({
      description:
        "NATS servers of one cluster that carry hints instead of PostgreSQL's NOTIFY. Empty: NOTIFY.",
      write: 'a list of hosts with their ports, such as [localhost:4222]',
    }),
    nats_subject: value(z.string().regex(/^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/), {
      description: 'Give each database one of its own.',
      write: 'a subject such as rostack.hints',
    }).default('rostack.hints'),
    nats_token: secret('What the gateway presents to the NATS servers.').optional(),
  })
  .transform((section) => ({
    natsServers: section.nats_servers,
    natsSubject: section.nats_subject,
    /** Token for NATS; undefined if none is needed. */
    natsToken: section.nats_token,
  }));
