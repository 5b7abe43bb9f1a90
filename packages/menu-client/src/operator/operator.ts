import type { MealCode } from '../domain/daily-menu.ts';
import type { BundleItem, Menu } from '../domain/menu.ts';
import type { MenuError } from '../domain/menu-error.ts';
import type { Restaurant, Vendor } from '../domain/restaurant.ts';

/** How one read is made. */
export interface ReadOptions {
  /**
   * Ends the read early, with `aborted`.
   * @default none
   */
  readonly signal?: AbortSignal;
  /** Background requests let waiting foreground ones go first. @default 'foreground' */
  readonly priority?: 'foreground' | 'background';
  /**
   * Runs one request: while no other process runs one, if the account allows only one at a time. It also sees how long the
   * operator is silent.
   * @default the request runs at once, unseen
   */
  readonly exclusively?: Exclusively;
  /**
   * What the operator keeps between reads and starts, for all processes that share its account, such as a session.
   * @default kept in this process alone
   */
  readonly notes?: OperatorNotes;
  /**
   * Called by `day` with each meal as soon as it is read, or has failed: one that hangs holds up no other.
   * @default not called
   */
  readonly onMeal?: (reading: MealReading) => void;
}

/** Short texts by name, kept for every process that shares a store. They may be secret: a session's token is. */
export interface OperatorNotes {
  /** The text that was last written; undefined if there is none, or it cannot be read now. */
  read(name: string): Promise<string | undefined>;
  /** Replaces the text; while it cannot be kept, nothing happens. */
  write(name: string, text: string): Promise<void>;
}

/** The operator refuses the account, which only a person can mend: with a new password, or in the operator's own app. */
export interface AccountRefusal {
  /** The first refusal since the last login that worked, in ms since the epoch. */
  readonly sinceMs: number;
  /** No login is tried before, in ms since the epoch. */
  readonly nextLoginAtMs: number;
}

/** Runs a request alone, once it is this process's turn; returns and throws what the request does. */
export type Exclusively = <T>(request: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;

/** A meal that a restaurant offers. */
export interface Meal {
  /** Which meal it is, see `MEAL_CODES`. */
  readonly code: MealCode;
  /** The operator's own label. */
  readonly label: string;
}

/** One meal's answer: its menus, or why it could not be read. */
export type MealReading =
  | (Meal & {
      /** What is served at this meal; empty if the operator answered that there is nothing. */
      readonly menus: readonly Menu[];
    })
  | (Meal & {
      /** Why it could not be read. */
      readonly error: MenuError;
    });

/** What was read from an operator. */
export interface Reading<T> {
  /** What could be read of the answer. */
  readonly value: T;
  /** Rows of the answer that could not be read. */
  readonly droppedRows: number;
  /** Values whose meaning is not known; what they may mean is left out. @default none */
  readonly unknownValues?: readonly UnknownValue[];
}

/** A value of an operator's answer that this package has no meaning for. */
export interface UnknownValue {
  /** Name of the member, as the operator writes it. */
  readonly member: string;
  /** As text, at most 40 characters. */
  readonly value: string;
}

/** One operator's API, read-only. Every method throws `OperatorError` when the operator cannot be read. */
export interface Operator extends AsyncDisposable {
  /** The operator that it reads. */
  readonly vendor: Vendor;
  /** Requests that this account may have under way at once, over all processes; 1 has `exclusively` wait for its turn. */
  readonly maxConcurrentRequests: number;
  /** How many requests a minute reading ahead may make. @default no limit */
  readonly backgroundRequestsPerMinute?: number;
  /** How long one request may take, in ms: health tells of reads that have waited longer. @default 10000 */
  readonly requestTimeoutMs?: number;
  /** All restaurants that the account can see. */
  restaurants(options?: ReadOptions): Promise<Reading<readonly Restaurant[]>>;
  /** The meals that the restaurant offers, by code. */
  meals(restaurantId: string, options?: ReadOptions): Promise<Reading<readonly Meal[]>>;
  /** The given meals of a day; a meal that cannot be read carries its error and does not affect the others. */
  day(
    restaurantId: string,
    date: string,
    meals: readonly Meal[],
    options?: ReadOptions,
  ): Promise<Reading<readonly MealReading[]>>;
  /**
   * What can be chosen from a bundle. Needed for menus from `day` whose bundle has the error `not_read_yet`; an operator
   * without such menus returns the items that the menu already has.
   */
  bundleItems(
    restaurantId: string,
    date: string,
    menu: Menu,
    options?: ReadOptions,
  ): Promise<Reading<readonly BundleItem[]>>;
  /** The menu with any details that take a request of their own (nutrition per dish). */
  menuDetail(restaurantId: string, date: string, menu: Menu, options?: ReadOptions): Promise<Menu>;
  /** Whether the account is refused now, as far as any process knows. @default an operator without an account */
  refusal?(notes?: OperatorNotes): Promise<AccountRefusal | undefined>;
  /** Ends what is under way; a second call waits for the first. */
  close(): Promise<void>;
}
