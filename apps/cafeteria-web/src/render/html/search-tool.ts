/**
 * Attributes that offer a search form as a tool to an assistant in the browser.
 *
 * @see https://github.com/webmachinelearning/webmcp/blob/main/declarative-api-explainer.md
 */
export const SEARCH_TOOL = {
  toolname: 'find_cafeteria',
  tooldescription:
    'Open the page with the staff cafeterias that match a name, a place or Korean initial consonants.',
  // It only opens a page.
  toolautosubmit: true,
} as const;

/** The same for the dish search. */
export const DISH_TOOL = {
  toolname: 'find_dish',
  tooldescription:
    'Open the page that says where and when a dish is served, today and the six days after it.',
  toolautosubmit: true,
} as const;

/** For the field of the restaurant search. */
export const SEARCH_PARAMETER = {
  toolparamdescription: 'Words of the name or place, in Korean or English, such as 강남 or R5.',
} as const;
