import type { Event } from '@adorn/core';

/** The events of a live session for several readers: each iteration has all of them, from the first. */
export class LiveLog implements AsyncIterable<Event> {
  private readonly source: AsyncIterator<Event>;
  private readonly steps: Promise<IteratorResult<Event>>[] = [];

  constructor(live: AsyncIterable<Event>) {
    this.source = live[Symbol.asyncIterator]();
  }

  [Symbol.asyncIterator](): AsyncIterator<Event> {
    let place = 0;
    return { next: () => this.at(place++) };
  }

  private at(place: number): Promise<IteratorResult<Event>> {
    return (this.steps[place] ??= this.source.next());
  }
}
