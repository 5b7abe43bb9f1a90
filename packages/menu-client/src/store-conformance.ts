export type { MenuStoreCheck } from './store/conformance.ts';
export { MENU_STORE_CHECKS } from './store/conformance.ts';
