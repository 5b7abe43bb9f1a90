import type { EntryKey } from '../menu-store.ts';

export interface MenuDatabase {
  readonly menu_entry: {
    readonly kind: EntryKey['kind'];
    readonly vendor: EntryKey['vendor'];
    readonly restaurant_id: string;
    readonly date: string;
    readonly item: string;
    readonly revision: number;
    /** JSON text: the database never looks inside. */
    readonly body: string;
  };
  readonly menu_lease: {
    readonly name: string;
    readonly holder: string;
    readonly ends_at_ms: number;
  };
}
