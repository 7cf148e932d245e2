import { inject, tool, ToolError } from 'adorn';

import { type Booking, BookingStore } from './booking-store.js';

export class Bookings {
  constructor(@inject(BookingStore) private readonly store: BookingStore) {}

  /** List all bookings of the hotel. */
  @tool({ effect: 'read' })
  listBookings(): Booking[] {
    return this.store.list();
  }

  /**
   * Cancel a booking. Use it only after the guest gave the booking number.
   * @param bookingId Booking number, such as "B-17".
   */
  @tool({
    effect: 'destructive',
    approvers: 'requester',
    confirm: (bookingId) => `Cancel booking ${bookingId}?`,
  })
  cancelBooking(bookingId: string): { cancelled: string } {
    const booking = this.store.find(bookingId);
    if (booking === undefined) throw new ToolError(`There is no booking ${bookingId}.`);
    this.store.remove(booking.id);
    return { cancelled: booking.id };
  }
}
