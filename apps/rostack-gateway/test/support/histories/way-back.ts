/** A database that can be put back to an earlier state, in one of the ways that this happens to people. */
export interface Database extends AsyncDisposable {
  readonly url: string;
  /** Whether gateways run on while it is put back. */
  readonly isLive: boolean;
  /** Makes the copy that the database is put back to. */
  readonly remember: () => Promise<void>;
  readonly goBack: () => Promise<void>;
}

export interface WayBack {
  /** Alarms that the log of a gateway that starts afterwards has: not every way leaves a trace. */
  readonly told: readonly string[];
  /** @param folder empty, gone after the test */
  readonly create: (folder: string) => Promise<Database>;
}
