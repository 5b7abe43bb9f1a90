/** How long a shared first page may be given without asking: a client replays what it lacks. */
const FIRST_PAGE_SHARED_S = 5;
/** Later pages never change. Their next cursor lives for 15 minutes at least, so it is good for five more. */
const LATER_PAGE_S = 600;

/** `Cache-Control` of a page. @see RFC 9111 section 5.2.2, RFC 8246 */
export function pageCaching(isShared: boolean, isLater: boolean): string {
  if (!isShared) return isLater ? `private, max-age=${LATER_PAGE_S}, immutable` : 'private, no-cache';
  return isLater
    ? `max-age=${LATER_PAGE_S}, s-maxage=${LATER_PAGE_S}, immutable`
    : `max-age=0, must-revalidate, s-maxage=${FIRST_PAGE_SHARED_S}`;
}
