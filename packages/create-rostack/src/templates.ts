/** The kinds of projects, with what each one is. */
export const TEMPLATES = {
  'hono-sqlite': 'a server of your own in Hono, with SQLite in a file',
  'gateway-postgres': 'tables of a PostgreSQL database, served by rostack-gateway without code',
} as const;

/** The name of a kind of project. */
export type Template = keyof typeof TEMPLATES;

export const isTemplate = (name: string): name is Template => Object.hasOwn(TEMPLATES, name);
