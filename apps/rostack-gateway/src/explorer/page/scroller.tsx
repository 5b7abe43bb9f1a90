import type { Child } from 'hono/jsx';

/** Something wide that scrolls inside itself, by keyboard too. */
export function Scroller({ label, children }: { readonly label: string; readonly children?: Child }) {
  return (
    <section class="scroller" aria-label={label} tabindex={0}>
      {children}
    </section>
  );
}
