export interface Booking {
  readonly id: string;
  readonly guest: string;
  readonly nights: number;
}

/** Keeps bookings in memory. Replace it with your database: agents get whatever a module binds to this class. */
export class BookingStore {
  private readonly bookings = new Map<string, Booking>([
    ['B-17', { id: 'B-17', guest: 'Ada', nights: 2 }],
    ['B-18', { id: 'B-18', guest: 'Grace', nights: 5 }],
  ]);

  list(): Booking[] {
    return [...this.bookings.values()];
  }

  find(id: string): Booking | undefined {
    return this.bookings.get(id);
  }

  remove(id: string): void {
    this.bookings.delete(id);
  }
}
