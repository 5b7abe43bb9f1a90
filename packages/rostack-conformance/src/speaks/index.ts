import type { Check, Watch } from '../check/check.ts';
import { answers } from './answers.ts';
import { discoveryDocument } from './discovery-document.ts';

export const speaksChecks: readonly Check[] = [discoveryDocument];

export const speaksWatches: readonly Watch[] = [answers];
