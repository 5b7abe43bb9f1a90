/** Header fields as they were on the wire, in their order. */
export type HeaderFields = readonly (readonly [name: string, value: string])[];

/** One request and its answer, without credentials: for checks, and for readers of reports. */
export interface Exchange {
  /** GET, HEAD and so on. */
  readonly method: string;
  /** The URL as requested. */
  readonly url: string;
  /** The header fields sent, without credentials. */
  readonly requestHeaders: HeaderFields;
  /** Whether credentials were sent. */
  readonly isAuthenticated: boolean;
  /** The status code. */
  readonly status: number;
  /** The header fields of the answer. */
  readonly responseHeaders: HeaderFields;
  /** The body. */
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown;
  /** Milliseconds from the request to the end of the answer. */
  readonly durationMs: number;
}

/** The values of all fields of a name, in their order. */
export const fieldsNamed = (headers: HeaderFields, name: string): string[] =>
  headers.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value);

/** The media type of an answer without its parameters, in lower case; empty if there is none. */
export const mediaTypeOf = ({ responseHeaders }: Pick<Exchange, 'responseHeaders'>): string =>
  (fieldsNamed(responseHeaders, 'content-type')[0] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
