/** Milliseconds of the clock that all processes of a machine share and nobody sets. */
export const sharedNowMs = (): number => Number(process.hrtime.bigint()) / 1e6;
