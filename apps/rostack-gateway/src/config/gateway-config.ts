import { anObject, type JsonSchema, type OptionCheck } from 'rostack-core';
import type { ParsedConfig } from './config-model.ts';

type ParsedResource = ParsedConfig['resources'][string];
type ParsedListeners = ParsedConfig['listeners'];

type ParsedAuthentication = ParsedConfig['authentication'];
type ParsedOAuth = NonNullable<ParsedAuthentication['oauth2']>;

/** An authorization server. */
export interface OAuthConfig extends Omit<ParsedOAuth, 'introspection'> {
  readonly introspection: { readonly clientId: string; readonly clientSecret: string } | undefined;
}

type ParsedRepresentation = ParsedResource['representations'][string];

/** One additional representation of a resource, with its schema read. Without a schema and without a mapping it is the record as it is. */
export interface RepresentationConfig extends Omit<ParsedRepresentation, 'schemaFile'> {
  /** Schema of one record in this representation. */
  readonly schema: JsonSchema | undefined;
}

/** One resource, with its schemas read. */
export interface ResourceConfig extends Omit<ParsedResource, 'schemaFile' | 'representations'> {
  /** Schema of one record as it is stored. */
  readonly schema: JsonSchema;
  /** Additional representations, by media type. */
  readonly representations: Readonly<Record<string, RepresentationConfig>>;
}

/** How the data listener does TLS; file paths are absolute. */
export type TlsConfig =
  | { readonly mode: 'development' }
  | { readonly mode: 'files'; readonly certificateFile: string; readonly keyFile: string }
  | { readonly mode: 'off' }
  /** Plain HTTP for this computer only. */
  | { readonly mode: 'loopback' };

/** The listener of the protocol. */
export interface DataListenerConfig extends Omit<ParsedListeners['data'], 'tls'> {
  /** Whether the listener does TLS itself, and with which certificate. */
  readonly tls: TlsConfig;
}

/** The listener for operators. */
export interface AdminListenerConfig extends Omit<NonNullable<ParsedListeners['admin']>, 'token'> {
  /** At least 16 characters. */
  readonly token: string;
}

/** A record that the gateway writes and follows itself, as a client would. */
export interface CanaryConfig extends Omit<NonNullable<ParsedConfig['metrics']['canary']>, 'token'> {
  /** The shared token that it follows with. */
  readonly token: string;
}

/**
 * All that a gateway needs to know: every default in place, secrets and schemas read, paths absolute, times in milliseconds, sizes
 * in bytes. From `loadConfig` or `parseConfig`.
 */
export interface GatewayConfig
  extends Omit<
    ParsedConfig,
    | 'authentication'
    | 'keys'
    | 'listeners'
    | 'store'
    | 'hints'
    | 'resources'
    | 'schemas'
    | 'metrics'
    | 'telemetry'
  > {
  /** The credentials that are accepted. */
  readonly authentication: Omit<ParsedAuthentication, 'oauth2' | 'furtherOauth2'> & {
    /** The authorization servers, with their secrets read; OAuth is not accepted if there are none. */
    readonly oauth2: readonly OAuthConfig[];
  };
  /** The secret behind principal ids and cursors; if undefined, a file in `dataDir` is used, and created if it is missing. */
  readonly keys: string | undefined;
  /** Where the gateway listens. */
  readonly listeners: {
    /** For the protocol. */
    readonly data: DataListenerConfig;
    /** For operators; undefined if there is none. */
    readonly admin: AdminListenerConfig | undefined;
  };
  /** Where the records are, and how many changes are kept. */
  readonly store: Omit<ParsedConfig['store'], 'url' | 'directUrl'> & {
    /** With user and password if these are needed. */
    readonly url: string;
    /** URL of the same database without a pooler; undefined if `url` leads to the server itself. */
    readonly directUrl: string | undefined;
  };
  /** How gateways over one database notify each other of changes. */
  readonly hints: Omit<ParsedConfig['hints'], 'natsToken'> & {
    /** Token for NATS; undefined if none is needed. */
    readonly natsToken: string | undefined;
  };
  /** Resources by name. */
  readonly resources: Readonly<Record<string, ResourceConfig>>;
  /** Schemas that others refer to, by name. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** What `/metrics` of the admin listener contains. */
  readonly metrics: Omit<ParsedConfig['metrics'], 'canary'> & {
    /** The record whose path to followers is measured; undefined if none is. */
    readonly canary: CanaryConfig | undefined;
  };
  /** Where traces are sent. */
  readonly telemetry: Omit<ParsedConfig['telemetry'], 'otlpHeaders'> & {
    /** Header fields for the collector; undefined if there are none. */
    readonly otlpHeaders: string | undefined;
  };
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
