import { shareClass } from '../metadata/shared-class.js';

/**
 * Counts the calls of tools with a `rateLimit` or a `concurrency` on all machines of an application. The class is its own
 * container identifier. Without a binding, each runner counts its own calls.
 *
 * A key names what is limited; it has a number of places, each of which is taken until a time.
 */
export abstract class SharedPlaces {
  static {
    shareClass(this, 'SharedPlaces');
  }

  /**
   * Takes one of so many places for a time.
   *
   * @param ms milliseconds until the place is free again
   * @returns 0 if it was taken; if all are, the milliseconds until the first of them is free, at least 1
   * @throws {AdornError} if the places cannot be counted: the call fails, and its tool does not run
   */
  abstract take(key: string, places: number, ms: number): Promise<number>;

  /**
   * Takes one of so many places until it is released, or until this process is gone.
   *
   * @returns undefined if all are taken
   * @throws {AdornError} if the places cannot be counted
   */
  abstract hold(key: string, places: number): Promise<HeldPlace | undefined>;
}

/** A place that is taken. */
export interface HeldPlace {
  /** Never rejects: a place that cannot be released is free soon after. */
  release(): Promise<void>;
}
