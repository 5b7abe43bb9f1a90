import type { FC } from 'hono/jsx';
import { rendered } from './template.ts';

const SHAPES = {
  bowl: 'M3 11h18a9 9 0 0 1-5 8v2H8v-2a9 9 0 0 1-5-8ZM8 8c0-2 2-2 2-4M12 8c0-2 2-2 2-4M16 8c0-2 2-2 2-4',
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14Zm5 12 5 5',
  star: 'm12 3 2.7 5.8 6.3.8-4.6 4.3 1.2 6.2L12 17l-5.6 3.1 1.2-6.2L3 9.6l6.3-.8Z',
  back: 'm15 5-7 7 7 7',
  forward: 'm9 5 7 7-7 7',
  share: 'M12 15V4M8 7l4-4 4 4M6 11H5v9h14v-9h-1',
  calendar: 'M4 6h16v14H4ZM4 10h16M8 3v4M16 3v4',
} as const;

export type IconName = keyof typeof SHAPES;

const icons = new Map(
  Object.keys(SHAPES).map((name) => {
    const icon = (
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
        <use href={`#i-${name}`} />
      </svg>
    );
    return [name, rendered(icon)];
  }),
);

/** Decoration only: the text next to it says the same. */
export const Icon: FC<{ name: IconName }> = ({ name }) => icons.get(name) ?? null;

const shapes = rendered(
  <svg class="shapes" aria-hidden="true">
    {Object.entries(SHAPES).map(([name, path]) => (
      <symbol id={`i-${name}`} viewBox="0 0 24 24">
        <path d={path} />
      </symbol>
    ))}
  </svg>,
);

/** The shapes that `Icon` refers to; once per page. */
export const IconShapes: FC = () => shapes;
