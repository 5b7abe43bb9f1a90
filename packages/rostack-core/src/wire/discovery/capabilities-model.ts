import { FILTER_OPERATOR_NAMES } from '../../query/filter/operator-names.ts';
import { eventEncodingModel } from '../message/shared-models.ts';
import { anInteger, literal, milliseconds, object, uniqueArray, type ValueOf } from '../model/model.ts';

export const filterOperatorModel = literal(...FILTER_OPERATOR_NAMES);

/** Compression extensions of the gateway (RFC 7692). */
export const WEBSOCKET_EXTENSIONS = ['permessage-deflate'] as const;

const eventEncodings = uniqueArray(eventEncodingModel, { contains: 'json' });

/** `heartbeat_timeout_ms <= heartbeat_interval_ms` and the order of the delays are cross-field checks. */
const websocket = object({
  event_encodings: eventEncodings,
  extensions: uniqueArray(literal(...WEBSOCKET_EXTENSIONS)),
  authentication_timeout_ms: milliseconds(1000),
  heartbeat_interval_ms: milliseconds(1000),
  heartbeat_timeout_ms: milliseconds(1000),
  reconnect_min_delay_ms: milliseconds(100),
  reconnect_max_delay_ms: milliseconds(1000),
  discovery_refresh_after_ms: milliseconds(1000),
});

export const capabilitiesModel = object({
  filter_operators: uniqueArray(filterOperatorModel),
  max_page_size: anInteger(1),
  websocket,
});

/** What all resources of an implementation share: filters, page size, gateway. */
export type Capabilities = ValueOf<typeof capabilitiesModel>;

/** What the gateway offers and how long it waits; times in milliseconds. */
export type WebSocketCapabilities = Capabilities['websocket'];
