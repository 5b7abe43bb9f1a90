export { formatPointer, isPointer, parsePointer } from './pointer.ts';
export { PointerError } from './pointer-error.ts';
export { resolvePointer } from './resolve-pointer.ts';
