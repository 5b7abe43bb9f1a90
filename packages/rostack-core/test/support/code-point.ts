import * as fc from 'fast-check';

const SURROGATES = 0x800;
const FIRST_SURROGATE = 0xd800;

/** One code point, as a unit of `fc.string`; fast-check's own unit `binary` takes over a second of CPU time to build. */
export const codePoint = fc
  .oneof(fc.nat(0x7f), fc.nat(0xffff - SURROGATES), fc.nat(0x10ffff - SURROGATES))
  .map((index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES));
