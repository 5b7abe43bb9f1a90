import type { FC } from 'hono/jsx';
import { isFiltering, type Look, lookParameters, SORTS } from '../../../domain/look.ts';
import { linkTo, type PageContext } from '../../page-context.ts';

interface LookProps {
  readonly page: PageContext;
  readonly look: Look;
  /** Parameters of the day and the meal, which stay. */
  readonly kept: Readonly<Record<string, string>>;
}

/** How the dishes are sorted and which are shown, folded under what holds now; remembered in a cookie. */
export const LookForm: FC<LookProps> = ({ page, look, kept }) => {
  const { text } = page;
  const hidden = { ...kept, ...(page.languageInLinks ? { lang: page.language } : {}) };
  const field = (name: 'words' | 'without', label: string) => (
    <label>
      <span>{label}</span>
      <input type="text" name={name} value={look[name]} maxlength={100} />
    </label>
  );
  const box = (name: string, label: string, checked: boolean) => (
    <label class="box">
      <input type="checkbox" name={name} value="1" checked={checked} /> {label}
    </label>
  );
  return (
    <details class="fold look" name="home">
      <summary>
        {look.sort === undefined ? text.sortBy : text.sorts[look.sort]}
        {isFiltering(look) ? ` · ${text.filtered}` : ''}
      </summary>
      <div class="panel">
        <nav class="meals" aria-label={text.sortBy}>
          {(['none', ...SORTS] as const).map((sort) => (
            <a
              href={linkTo(page, '/', {
                ...kept,
                ...lookParameters({ ...look, sort: sort === 'none' ? undefined : sort }),
              })}
              rel="nofollow"
              {...((look.sort ?? 'none') === sort ? { 'aria-current': 'true' as const } : {})}
            >
              {text.sorts[sort]}
            </a>
          ))}
        </nav>
        <form action="/" aria-label={text.filterLabel}>
          {Object.entries({ ...hidden, sort: look.sort ?? '' }).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          {box('mains', text.mainsOnly, look.mains)}
          {box('noextras', text.noExtras, look.noExtras)}
          {field('words', text.filterWords)}
          {field('without', text.filterWithout)}
          <button type="submit">{text.applyLook}</button>
        </form>
      </div>
    </details>
  );
};
