/// <reference lib="esnext.disposable" preserve="true" />
/// <reference lib="dom" />
export { IndexedDbStateStore } from './indexeddb-state-store.ts';
export { TabFollow, type TabFollowOptions } from './tab-follow.ts';
export type {
  TabChange,
  TabCreatedChange,
  TabRemovedChange,
  TabUpdatedChange,
} from './tab-mirror.ts';
