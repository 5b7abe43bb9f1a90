import { en } from './en.ts';
import type { Messages } from './ko.ts';
import { ko } from './ko.ts';
import type { Language } from './language.ts';

export type { Messages } from './ko.ts';

export const MESSAGES: Readonly<Record<Language, Messages>> = { ko, en };
