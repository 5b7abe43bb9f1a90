import { parseVendor, type Vendor } from 'menu-client';

/** RFC 6570 template for one day of a restaurant; `date` is written as for the tool. */
export const MENU_URI_TEMPLATE = 'menu://{vendor}/{id}/{date}';

export interface MenuUri {
  readonly vendor: Vendor;
  readonly id: string;
  readonly date: string;
}

const MENU_URI = /^menu:\/\/([^/?#]+)\/([^/?#]+)\/([^/?#]+)$/i;

/** The decoded parts of a `menu:` URI; undefined when the text is not one. */
export function parseMenuUri(text: string): MenuUri | undefined {
  const parts = MENU_URI.exec(text)?.slice(1);
  if (parts === undefined) return undefined;
  try {
    const [vendor, id, date] = parts.map(decodeURIComponent);
    const known = parseVendor(vendor);
    return known === undefined || id === undefined || date === undefined
      ? undefined
      : { vendor: known, id, date };
  } catch {
    return undefined;
  }
}
