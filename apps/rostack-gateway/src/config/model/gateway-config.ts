import { anObject, type OptionCheck } from 'rostack-core';
import type { z } from 'zod';
import type { authenticationSection, oauth2 } from '../section/authentication-section.ts';
import type { adminListener, dataListener, listenersSection } from '../section/listeners-section.ts';
import type { canarySection, metricsSection, telemetrySection } from '../section/operation-sections.ts';
import type { representation } from '../section/representations-section.ts';
import type { resource, schemasSection } from '../section/resources-section.ts';
import type { hintsSection, storeSection } from '../section/store-section.ts';
import type { configModel } from './config-model.ts';

/** An authorization server. */
export interface OAuthConfig extends z.output<typeof oauth2> {}

/** One additional representation of a resource. Without a schema and without a mapping it is the record as it is. */
export interface RepresentationConfig extends z.output<typeof representation> {}

/** One resource, with its schemas read. */
export interface ResourceConfig extends z.output<typeof resource> {
  /** Additional representations, by media type. */
  readonly representations: Record<string, RepresentationConfig>;
}

/** The listener of the protocol. */
export interface DataListenerConfig extends z.output<typeof dataListener> {}

/** How the data listener does TLS; file paths are absolute. `loopback` is plain HTTP for this computer only. */
export type TlsConfig = DataListenerConfig['tls'];

/** The listener for operators. */
export interface AdminListenerConfig extends z.output<typeof adminListener> {}

/** A record that the gateway writes and follows itself, as a client would. */
export interface CanaryConfig extends z.output<typeof canarySection> {}

/**
 * The complete configuration of a gateway: every default in place, secrets and schemas read, paths absolute, times in milliseconds, sizes
 * in bytes. From `loadConfig` or `parseConfig`. Sections declared here have docstrings for their members.
 */
export interface GatewayConfig extends z.output<typeof configModel> {
  /** The credentials that are accepted. */
  readonly authentication: z.output<typeof authenticationSection>;
  /** Where the gateway listens. */
  readonly listeners: z.output<typeof listenersSection>;
  /** Where the records are stored, and how many changes are kept. */
  readonly store: z.output<typeof storeSection> & {
    /** With user and password if these are needed. */
    readonly url: string;
  };
  /** How gateways over one database notify each other of changes. */
  readonly hints: z.output<typeof hintsSection>;
  /** Resources by name. */
  readonly resources: Record<string, ResourceConfig>;
  /** Schemas that others refer to, by name. */
  readonly schemas: z.output<typeof schemasSection>;
  /** What `/metrics` of the admin listener contains. */
  readonly metrics: z.output<typeof metricsSection>;
  /** Where traces are sent. */
  readonly telemetry: z.output<typeof telemetrySection>;
}

/** Checks only that the value comes from `loadConfig` or `parseConfig`, which check everything else. */
export const aGatewayConfig: OptionCheck = (value, name) => {
  const { listeners, resources, store }: Partial<GatewayConfig> = Object(value);
  const fault =
    anObject(value, name) ??
    anObject(listeners, `${name}.listeners`) ??
    anObject(resources, `${name}.resources`) ??
    anObject(store, `${name}.store`);
  return fault === undefined ? undefined : `${fault}, as loadConfig and parseConfig give it`;
};
