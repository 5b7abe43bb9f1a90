/**
 * Attributes that offer a search form as a tool to an assistant in the browser.
 *
 * @see https://github.com/webmachinelearning/webmcp/blob/main/declarative-api-explainer.md
 */
export const SEARCH_TOOL = {
  toolname: 'find_cafeteria',
  tooldescription:
    'Open the page with the staff cafeterias that match a name, a place or Korean initial consonants, and with where and when a dish is served, today and the six days after it.',
  // It only opens a page.
  toolautosubmit: true,
} as const;

/** For the field of the search. */
export const SEARCH_PARAMETER = {
  toolparamdescription:
    'Words of a name, a place or a dish, in Korean or English, and a day if any, such as 강남, R5 or 강남 돈까스 내일.',
} as const;
