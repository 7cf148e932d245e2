import { CassetteLeftOverError } from './errors.js';

/** What of a cassette was asked for, by its places: each is given once. */
export class PlayedPlaces {
  private readonly played = new Set<number>();

  /** The first of some places that was not asked for before; it counts as asked for then. Undefined if there is none. */
  take(places: readonly number[]): number | undefined {
    const next = places.find((place) => !this.played.has(place));
    if (next !== undefined) this.played.add(next);
    return next;
  }

  /** Notes what has just been recorded. */
  note(place: number): void {
    this.played.add(place);
  }

  /** How many places were asked for. */
  get size(): number {
    return this.played.size;
  }

  /** The places that were not asked for, or not to their end. */
  leftOf(count: number, isDone: (place: number) => boolean = () => true): readonly number[] {
    const all = Array.from({ length: count }, (_, place) => place);
    return all.filter((place) => !this.played.has(place) || !isDone(place));
  }

  /**
   * @param path of the cassette
   * @param count how many places it has
   * @param isDone whether what was asked for was read to its end. Default: it was
   * @throws {CassetteLeftOverError} if something is left
   */
  requireAll(path: string, count: number, isDone: (place: number) => boolean = () => true): void {
    const left = this.leftOf(count, isDone);
    if (left.length > 0) throw new CassetteLeftOverError(path, left, count);
  }
}
