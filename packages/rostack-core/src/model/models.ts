import { collectionModel } from '../collection/collection-model.ts';
import { discoveryModel20260812, discoveryModel20260813 } from '../discovery/discovery-model.ts';
import { clientMessageModel20260812, clientMessageModel20260813 } from '../message/client-message.ts';
import { serverMessageModel20260812, serverMessageModel20260813 } from '../message/server-message.ts';
import {
  websocketMessageModel20260812,
  websocketMessageModel20260813,
} from '../message/websocket-message-model.ts';
import { problemModel20260812, problemModel20260813 } from '../problem/problem-model.ts';
import { filterModel20260812, filterModel20260813 } from './filter-model.ts';

/**
 * The Zod models of each release: what the JSON Schemas say, without the cross-field checks. They transform
 * nothing and fill in no default. Use the `parse...` functions on values from outside; these are for composing.
 */
export const MODELS = {
  '2026-08-12': {
    discovery: discoveryModel20260812,
    filter: filterModel20260812,
    problem: problemModel20260812,
    clientMessage: clientMessageModel20260812,
    serverMessage: serverMessageModel20260812,
    websocketMessage: websocketMessageModel20260812,
    collection: collectionModel,
  },
  '2026-08-13': {
    discovery: discoveryModel20260813,
    filter: filterModel20260813,
    problem: problemModel20260813,
    clientMessage: clientMessageModel20260813,
    serverMessage: serverMessageModel20260813,
    websocketMessage: websocketMessageModel20260813,
    collection: collectionModel,
  },
} as const;
