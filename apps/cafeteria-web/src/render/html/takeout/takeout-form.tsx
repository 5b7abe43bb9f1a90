import type { Child, FC } from 'hono/jsx';
import type { Picks } from '../../../domain/takeout/picks.ts';
import { linkTo, type PageContext } from '../../page-context.ts';
import { type Offered, PickBar } from './pick-bar.tsx';

/** What a visitor asks of the takeout view. */
export interface TakeoutAsked {
  readonly picked: Picks;
  /** In coins. */
  readonly budget: number;
  /** True: what one drinks is not shown, unless it is picked. */
  readonly withoutDrinks: boolean;
}

interface TakeoutFormProps extends TakeoutAsked {
  readonly page: PageContext;
  readonly path: string;
  /** What belongs to the address besides the picks. */
  readonly query: Readonly<Record<string, string>>;
  readonly offered: readonly Offered[];
  readonly children?: Child;
}

/** The form around everything that can be picked, with the sums at its foot. */
export const TakeoutForm: FC<TakeoutFormProps> = (props) => {
  const { page, path, query, offered, picked, budget, withoutDrinks, children } = props;
  const { text } = page;
  return (
    <form class={withoutDrinks ? 'takeout no-drinks' : 'takeout'} action={path}>
      {Object.entries(query).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {page.languageInLinks ? <input type="hidden" name="lang" value={page.language} /> : null}
      <p class="takeout-tools">
        <label>
          <input type="checkbox" name="drinks" value="off" checked={withoutDrinks} /> {text.withoutDrinks}
        </label>
        <button type="submit">{text.pickShow}</button>
      </p>
      {children}
      <PickBar
        page={page}
        offered={offered}
        picked={picked}
        budget={budget}
        clearPath={linkTo(page, path, query)}
      />
    </form>
  );
};
