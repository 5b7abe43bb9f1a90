import type { Bundle, BundleItem, Menu } from '../domain/menu.ts';

/** A bundle whose items take a request of their own, made by `Operator.bundleItems`. */
export const UNREAD_BUNDLE: Bundle = {
  status: 'loading',
  items: [],
  error: { code: 'not_read_yet', retryable: true },
};

/** True if the items of a menu, as `day` gave it, still have to be asked for. */
export function hasItemsToRead({ bundle }: Menu): boolean {
  return bundle?.error?.code === 'not_read_yet';
}

/** A bundle whose items came with its menu. */
export function bundleOf(items: readonly BundleItem[]): Bundle {
  return { status: items.length === 0 ? 'empty' : 'ok', items };
}

/**
 * Gives each item its name as id. Of two different items with the same name, the second gets a number; identical items
 * count once.
 */
export function toItems(named: readonly Omit<BundleItem, 'id'>[]): readonly BundleItem[] {
  const items = new Map<string, BundleItem>();
  const seen = new Set<string>();
  for (const item of named) {
    const text = JSON.stringify(item);
    if (seen.has(text)) continue;
    seen.add(text);
    const name = item.name.toWellFormed();
    let id = name;
    for (let count = 2; items.has(id); count += 1) id = `${name} ${count}`;
    items.set(id, { id, ...item });
  }
  return [...items.values()];
}
