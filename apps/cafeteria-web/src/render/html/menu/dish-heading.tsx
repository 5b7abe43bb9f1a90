import type { Child, FC } from 'hono/jsx';
import { dishNamesOf, foreignLanguage, type PageContext } from '../../page-context.ts';

interface DishHeadingProps {
  readonly page: PageContext;
  readonly level: 'h1' | 'h3';
  readonly dish: { readonly name: string; readonly nameEn?: string };
  /** What stands for a name, such as one with what was searched for marked. @default the name */
  readonly shown?: (name: string) => Child;
  /** The menu's own page; its link covers the whole card, and the script opens it in place. @default no link */
  readonly href?: string;
}

/** A dish's name as it is on the signs, as a heading; under it, on English pages, the English one. */
export const DishHeading: FC<DishHeadingProps> = (props) => {
  const { page, level: Heading, dish, shown = (name) => name, href } = props;
  const { korean, english } = dishNamesOf(page, dish);
  const heading = (
    <Heading lang={foreignLanguage(page, korean)}>
      {href === undefined ? (
        shown(korean)
      ) : (
        <a class="whole" href={href} rel="nofollow">
          {shown(korean)}
        </a>
      )}
    </Heading>
  );
  return english === undefined ? (
    heading
  ) : (
    <>
      {heading}
      <p class="other-name" lang={foreignLanguage(page, english)}>
        {shown(english)}
      </p>
    </>
  );
};
