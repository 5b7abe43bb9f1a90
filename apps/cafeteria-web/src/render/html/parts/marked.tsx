import { matchedRanges } from 'menu-client';
import { plainLine } from '../../plain-text.ts';

/** An operator's text as one line, with the matches of the query marked. */
export const Marked = ({ text, query }: { text: string; query: string }) => {
  const line = plainLine(text);
  const ranges = matchedRanges(line, query);
  return (
    <>
      {ranges.map(([from, to], index) => (
        <>
          {line.slice(ranges[index - 1]?.[1] ?? 0, from)}
          <mark>{line.slice(from, to)}</mark>
        </>
      ))}
      {line.slice(ranges.at(-1)?.[1] ?? 0)}
    </>
  );
};
