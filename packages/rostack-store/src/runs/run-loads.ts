/** What a page that comes out of runs saves is about an eighth of what a run costs. */
const COST = 8;
const MAX_CREDIT = 512;
/** Every so many pages a run is read in spite of everything, to see whether pages meet again. */
const SAMPLE = 64;

/** Decides whether runs pay: each page out of a run earns, each run that is read costs. */
export class RunLoads {
  #credit = MAX_CREDIT;
  #missed = 0;

  /** A page came out of runs. */
  earn(): void {
    if (this.#credit < MAX_CREDIT) this.#credit += 1;
  }

  /** A page did not: whether to read a run now. */
  take(): boolean {
    this.#missed += 1;
    if (this.#credit < COST && this.#missed % SAMPLE !== 0) return false;
    this.#credit = Math.max(0, this.#credit - COST);
    return true;
  }
}
