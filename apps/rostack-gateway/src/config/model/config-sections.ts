import { z } from 'zod';
import { authenticationSection } from '../section/authentication-section.ts';
import {
  browsersSection,
  descriptionsSection,
  eventsSection,
  limitsSection,
  ratesSection,
} from '../section/client-sections.ts';
import { listenersSection } from '../section/listeners-section.ts';
import {
  compatibilitySection,
  healthSection,
  logSection,
  metricsSection,
  protocolSection,
  shutdownSection,
  telemetrySection,
  workers,
} from '../section/operation-sections.ts';
import { reading } from '../section/reference-reader.ts';
import { permissionsSection, resourcesSection, schemasSection } from '../section/resources-section.ts';
import { secret } from '../section/secret.ts';
import { hintsSection, retentionSection, storeSection } from '../section/store-section.ts';
import { filePath, text, url } from '../section/values.ts';

const identitySection = z
  .strictObject({
    id: text(
      'Stable id of the implementation, such as observatory.',
      'a short stable id, such as observatory',
    ),
    name: text('For people.', 'a name for people'),
    api_version: text(
      'Opaque; has to change with every breaking change.',
      'a version as text, in quotes where it looks like a number, such as "1"',
    ),
  })
  .transform(({ api_version: apiVersion, ...identity }) => ({ ...identity, apiVersion }));

const alternateVersion = z
  .strictObject({
    api_version: text('The other version.', 'a version as text'),
    discovery_url: url(['https:'], 'Its discovery document.', 'https://old.example/.well-known/rostack'),
  })
  .transform((version) => ({ apiVersion: version.api_version, discoveryUrl: version.discovery_url }));

const publicUrl = url(
  ['https:'],
  'Where clients reach the data listener. Absent: https://localhost and its port, with tls: development or loopback.',
  'https://data.example',
).refine((candidate) => !/[?#]/.test(candidate), 'has a query or a fragment; write it without');

const MIN_KEYS_LENGTH = 32;

/** The sections of a configuration file, each right on its own. */
export const configSections = z.strictObject({
  identity: identitySection,
  protocol: protocolSection.prefault({}),
  public_url: publicUrl.optional(),
  documentation_url: url(
    ['https:', 'http:'],
    'Where people read about it. Absent: public_url.',
    'https://data.example/docs',
  ).optional(),
  data_dir: filePath(
    'Folder for what the gateway keeps: development certificate, keys, SQLite file, notes on imports and logs.',
  )
    .transform(reading(async (reader, folder) => reader.path(folder)))
    .prefault('data'),
  keys: secret(
    'At least 32 random bytes as text: principal ids and cursors depend on it, gateways of one database share it. Absent: made in data_dir.',
    MIN_KEYS_LENGTH,
  ).optional(),
  workers: workers.default(1),
  listeners: listenersSection.prefault({}),
  store: storeSection.prefault({}),
  retention: retentionSection.prefault({}),
  hints: hintsSection.prefault({}),
  authentication: authenticationSection.prefault({}),
  permissions: permissionsSection,
  limits: limitsSection.prefault({}),
  rates: ratesSection.prefault({}),
  browsers: browsersSection.prefault({}),
  events: eventsSection.prefault({}),
  descriptions: descriptionsSection.prefault({}),
  resources: resourcesSection,
  schemas: schemasSection,
  alternate_versions: z
    .array(alternateVersion)
    .default([])
    .meta({ write: 'a list of { api_version, discovery_url }' }),
  health: healthSection.prefault({}),
  metrics: metricsSection.prefault({}),
  log: logSection.prefault({}),
  telemetry: telemetrySection.prefault({}),
  compatibility: compatibilitySection.prefault({}),
  shutdown: shutdownSection.prefault({}),
});

/** The output of `configSections`. */
export type ConfigSections = z.output<typeof configSections>;
