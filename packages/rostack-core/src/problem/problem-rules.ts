/** The sentence of each of `PROBLEM_CHECKS`, by its name. */
export const PROBLEM_RULES: Readonly<Record<string, string>> = {
  uri_reference_valid:
    'instance is a URI reference (RFC 3986), and its host, if any, is a name or an address.',
  whole_number_exact:
    'Whole numbers are at most 9007199254740991: a double does not hold all of the larger ones.',
};
