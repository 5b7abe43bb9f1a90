/**
 * The name as one path segment: NFKC, lower case, runs of anything but letters and digits become one hyphen,
 * none at the ends; a name without any becomes `restaurant`.
 */
export function restaurantSlug(name: string): string {
  const slug = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return slug === '' ? 'restaurant' : slug;
}
