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

/** One further representation of a resource, its schema read; without one, and without a mapping, it is the record as it is. */
export interface RepresentationConfig extends Omit<ParsedRepresentation, 'schemaFile'> {
  /** Of one record in this representation. */
  readonly schema: JsonSchema | undefined;
}

/** One resource, its schemas read. */
export interface ResourceConfig extends Omit<ParsedResource, 'schemaFile' | 'representations'> {
  /** Of one record as it is stored. */
  readonly schema: JsonSchema;
  /** By media type. */
  readonly representations: Readonly<Record<string, RepresentationConfig>>;
}

/** How the data listener does TLS; file paths are absolute. */
export type TlsConfig =
  | { readonly mode: 'development' }
  | { readonly mode: 'files'; readonly certificateFile: string; readonly keyFile: string }
  | { readonly mode: 'off' };

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

/** A record that the gateway writes, and follows as a client. */
export interface CanaryConfig extends Omit<NonNullable<ParsedConfig['metrics']['canary']>, 'token'> {
  /** A shared token. */
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
  /** Which credentials are accepted. */
  readonly authentication: Omit<ParsedAuthentication, 'oauth2' | 'furtherOauth2'> & {
    /** The authorization servers, secrets read; empty: OAuth is not accepted. */
    readonly oauth2: readonly OAuthConfig[];
  };
  /** The secret behind principal ids and cursors; undefined: a file in `dataDir`, made when it is missing. */
  readonly keys: string | undefined;
  /** Where the gateway listens. */
  readonly listeners: {
    /** For the protocol. */
    readonly data: DataListenerConfig;
    /** For operators; undefined: there is none. */
    readonly admin: AdminListenerConfig | undefined;
  };
  /** Where the records are, and how many changes are kept. */
  readonly store: Omit<ParsedConfig['store'], 'url' | 'directUrl'> & {
    /** With user and password, where these are needed. */
    readonly url: string;
    /** Of the same database without a pooler; undefined: `url` leads to the server itself. */
    readonly directUrl: string | undefined;
  };
  /** How gateways over one database tell each other of changes. */
  readonly hints: Omit<ParsedConfig['hints'], 'natsToken'> & {
    /** For NATS; undefined: none is needed. */
    readonly natsToken: string | undefined;
  };
  /** By name. */
  readonly resources: Readonly<Record<string, ResourceConfig>>;
  /** Those that others refer to, by name. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** What `/metrics` of the admin listener has. */
  readonly metrics: Omit<ParsedConfig['metrics'], 'canary'> & {
    /** The record whose way to followers is measured; undefined: none is. */
    readonly canary: CanaryConfig | undefined;
  };
  /** Where traces are sent. */
  readonly telemetry: Omit<ParsedConfig['telemetry'], 'otlpHeaders'> & {
    /** Header fields for the collector; undefined: none. */
    readonly otlpHeaders: string | undefined;
  };
}

/** It is checked by `loadConfig` and `parseConfig`: here the question is only whether it comes from them. */
export const aGatewayConfig: OptionCheck = (value, name) => {
  const { listeners, resources, store }: Partial<GatewayConfig> = Object(value);
  const fault =
    anObject(value, name) ??
    anObject(listeners, `${name}.listeners`) ??
    anObject(resources, `${name}.resources`) ??
    anObject(store, `${name}.store`);
  return fault === undefined ? undefined : `${fault}, as loadConfig and parseConfig give it`;
};
