/// <reference lib="esnext.disposable" preserve="true" />
/// <reference lib="dom" />
export { IndexedDbStateStore } from './indexeddb-state-store.ts';
export { TabFollow, type TabFollowOptions } from './tab-follow.ts';
export type { TabLead } from './tab-lead.ts';
export type {
  ReconnectingChange,
  StaleChange,
  TabChange,
  TabCreatedChange,
  TabRemovedChange,
  TabUpdatedChange,
} from './tab-mirror.ts';
