export { disarmPromise, guardObserver } from './guard-observer.ts';
export {
  aBoolean,
  aFunction,
  anObject,
  aSignal,
  aText,
  expecting,
  listOf,
  type OptionCheck,
  type OptionChecks,
  objectWith,
  oneOf,
  optional,
  optionsOf,
  wholeNumber,
} from './option-check.ts';
