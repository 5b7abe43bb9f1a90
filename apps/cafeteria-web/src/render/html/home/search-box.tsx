import type { FC } from 'hono/jsx';
import type { PageContext } from '../../page-context.ts';
import { Icon } from '../frame/icon.tsx';
import { SEARCH_PARAMETER, SEARCH_TOOL } from '../frame/search-tool.ts';

/** The search for places and dishes. @param small one line, without a hint. @default false */
export const SearchBox: FC<{ page: PageContext; query?: string; small?: boolean }> = (props) => {
  const { page, query = '', small = false } = props;
  const { text } = page;
  return (
    <form class={small ? 'search small' : 'search'} action="/" role="search" {...SEARCH_TOOL}>
      <div class="field">
        <Icon name="search" />
        <label class="quiet" for="q">
          {text.searchLabel}
        </label>
        <input
          id="q"
          type="search"
          name="q"
          {...SEARCH_PARAMETER}
          value={query}
          placeholder={text.searchPlaceholder}
          maxlength={100}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="search"
          aria-describedby="q-hint"
          data-suggest="/proxy/search"
          data-count={text.searchCount(0)}
          data-none={text.foundNone}
          data-incomplete={text.searchNoneYet}
        />
        {page.languageInLinks ? <input type="hidden" name="lang" value={page.language} /> : null}
        <button type="submit">{text.searchButton}</button>
      </div>
      <p class={small ? 'quiet' : 'hint'} id="q-hint">
        {text.searchHint}
      </p>
    </form>
  );
};
