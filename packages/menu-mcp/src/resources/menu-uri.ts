import { VENDORS, type Vendor } from 'menu-client';

/** RFC 6570 template of a day of a restaurant; `date` as in the tool. */
export const MENU_URI_TEMPLATE = 'menu://{vendor}/{id}/{date}';

export interface MenuUri {
  readonly vendor: Vendor;
  readonly id: string;
  readonly date: string;
}

const MENU_URI = /^menu:\/\/([^/?#]+)\/([^/?#]+)\/([^/?#]+)$/i;

/** The parts of a `menu:` URI, decoded; undefined when it is none. */
export function parseMenuUri(text: string): MenuUri | undefined {
  const parts = MENU_URI.exec(text)?.slice(1);
  if (parts === undefined) return undefined;
  try {
    const [vendor, id, date] = parts.map(decodeURIComponent);
    const known = VENDORS.find((name) => name === vendor);
    return known === undefined || id === undefined || date === undefined
      ? undefined
      : { vendor: known, id, date };
  } catch {
    return undefined;
  }
}
