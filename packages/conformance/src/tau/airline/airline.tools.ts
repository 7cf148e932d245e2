import { inject, tool } from 'adorn';

import {
  type Cabin,
  type Flight,
  FlightDesk,
  type FlightType,
  type Passenger,
  type Payment,
} from './flight-desk.js';

/** The tools of the airline benchmark: names, words and types are the published ones. */
// adorn-ignore undocumented-parameter, too-many-parameters: the published tools have these parameters and words
export class AirlineTools {
  constructor(@inject(FlightDesk) private readonly desk: FlightDesk) {}

  /**
   * Book a reservation.
   * @param user_id The ID of the user to book the reservation, such as 'sara_doe_496'.
   * @param origin The IATA code for the origin city, such as 'SFO'.
   * @param destination The IATA code for the destination city, such as 'JFK'.
   * @param flights An array of objects containing details about each piece of flight.
   * @param passengers An array of objects containing details about each passenger.
   * @param payment_methods An array of objects containing details about each payment method.
   * @param total_baggages The total number of baggage items included in the reservation. @asType integer
   * @param nonfree_baggages The number of non-free baggage items included in the reservation. @asType integer
   */
  @tool({ effect: 'write' })
  bookReservation(
    user_id: string,
    origin: string,
    destination: string,
    flight_type: FlightType,
    cabin: Cabin,
    flights: Flight[],
    passengers: Passenger[],
    payment_methods: Payment[],
    total_baggages: number,
    nonfree_baggages: number,
    insurance: 'yes' | 'no',
  ): string {
    const journey = { user_id, origin, destination, flight_type, cabin, flights, passengers };
    const costs = { payment_methods, total_baggages, nonfree_baggages, insurance };
    return this.desk.answer('book_reservation', { ...journey, ...costs });
  }

  /**
   * Calculate the result of a mathematical expression.
   * @param expression The mathematical expression to calculate, such as '2 + 2'. The expression can contain
   * numbers, operators (+, -, *, /), parentheses, and spaces.
   */
  @tool({ effect: 'read' })
  calculate(expression: string): string {
    return this.desk.answer('calculate', { expression });
  }

  /**
   * Cancel the whole reservation.
   * @param reservation_id The reservation ID, such as 'ZFA04Y'.
   */
  @tool({ effect: 'write' })
  cancelReservation(reservation_id: string): string {
    return this.desk.answer('cancel_reservation', { reservation_id });
  }

  /**
   * Get the details of a reservation.
   * @param reservation_id The reservation id, such as '8JX2WO'.
   */
  @tool({ effect: 'read' })
  getReservationDetails(reservation_id: string): string {
    return this.desk.answer('get_reservation_details', { reservation_id });
  }

  /**
   * Get the details of an user, including their reservations.
   * @param user_id The user id, such as 'sara_doe_496'.
   */
  @tool({ effect: 'read' })
  getUserDetails(user_id: string): string {
    return this.desk.answer('get_user_details', { user_id });
  }

  /** List all airports and their cities. */
  @tool({ effect: 'read' })
  listAllAirports(): string {
    return this.desk.answer('list_all_airports', {});
  }

  /**
   * Search direct flights between two cities on a specific date.
   * @param origin The origin city airport in three letters, such as 'JFK'.
   * @param destination The destination city airport in three letters, such as 'LAX'.
   * @param date The date of the flight in the format 'YYYY-MM-DD', such as '2024-01-01'.
   */
  @tool({ effect: 'read' })
  searchDirectFlight(origin: string, destination: string, date: string): string {
    return this.desk.answer('search_direct_flight', { origin, destination, date });
  }

  /**
   * Search direct flights between two cities on a specific date.
   * @param origin The origin city airport in three letters, such as 'JFK'.
   * @param destination The destination city airport in three letters, such as 'LAX'.
   * @param date The date of the flight in the format 'YYYY-MM-DD', such as '2024-05-01'.
   */
  @tool({ effect: 'read' })
  searchOnestopFlight(origin: string, destination: string, date: string): string {
    return this.desk.answer('search_onestop_flight', { origin, destination, date });
  }

  /**
   * Send a certificate to a user. Be careful!
   * @param user_id The ID of the user to book the reservation, such as 'sara_doe_496'.
   * @param amount Certificate amount to send.
   */
  @tool({ effect: 'write' })
  sendCertificate(user_id: string, amount: number): string {
    return this.desk.answer('send_certificate', { user_id, amount });
  }

  /**
   * Use the tool to think about something. It will not obtain new information or change the database, but
   * just append the thought to the log. Use it when complex reasoning is needed.
   * @param thought A thought to think about.
   */
  @tool({ effect: 'read' })
  think(thought: string): string {
    return this.desk.answer('think', { thought });
  }

  /**
   * Transfer the user to a human agent, with a summary of the user's issue. Only transfer if the user
   * explicitly asks for a human agent, or if the user's issue cannot be resolved by the agent with the
   * available tools.
   * @param summary A summary of the user's issue.
   */
  @tool({ effect: 'write' })
  transferToHumanAgents(summary: string): string {
    return this.desk.answer('transfer_to_human_agents', { summary });
  }

  /**
   * Update the baggage information of a reservation.
   * @param reservation_id The reservation ID, such as 'ZFA04Y'.
   * @param total_baggages The updated total number of baggage items included in the reservation.
   * @asType integer
   * @param nonfree_baggages The updated number of non-free baggage items included in the reservation.
   * @asType integer
   * @param payment_id The payment id stored in user profile, such as 'credit_card_7815826',
   * 'gift_card_7815826', 'certificate_7815826'.
   */
  @tool({ effect: 'write' })
  updateReservationBaggages(
    reservation_id: string,
    total_baggages: number,
    nonfree_baggages: number,
    payment_id: string,
  ): string {
    const baggages = { reservation_id, total_baggages, nonfree_baggages, payment_id };
    return this.desk.answer('update_reservation_baggages', baggages);
  }

  /**
   * Update the flight information of a reservation.
   * @param reservation_id The reservation ID, such as 'ZFA04Y'.
   * @param flights An array of objects containing details about each piece of flight in the ENTIRE new
   * reservation. Even if the a flight segment is not changed, it should still be included in the array.
   * @param payment_id The payment id stored in user profile, such as 'credit_card_7815826',
   * 'gift_card_7815826', 'certificate_7815826'.
   */
  @tool({ effect: 'write' })
  updateReservationFlights(
    reservation_id: string,
    cabin: Cabin,
    flights: Flight[],
    payment_id: string,
  ): string {
    return this.desk.answer('update_reservation_flights', { reservation_id, cabin, flights, payment_id });
  }

  /**
   * Update the passenger information of a reservation.
   * @param reservation_id The reservation ID, such as 'ZFA04Y'.
   * @param passengers An array of objects containing details about each passenger.
   */
  @tool({ effect: 'write' })
  updateReservationPassengers(reservation_id: string, passengers: Passenger[]): string {
    return this.desk.answer('update_reservation_passengers', { reservation_id, passengers });
  }
}
