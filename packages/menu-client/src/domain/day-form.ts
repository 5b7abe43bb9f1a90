/** How people name a day, in either language; each is tried at the start of folded text. */
export interface DayForm {
  readonly form: RegExp;
  /** `YYYY-MM-DD`; undefined for a day that does not exist. */
  readonly date: (today: string, parts: readonly (string | undefined)[]) => string | undefined;
  /** True for a weekday alone: a date beside it says which one. */
  readonly vague?: true;
}
