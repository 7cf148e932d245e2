/** What is behind the airline tools. The database of the benchmark is not published, so a desk only hears the calls. */
export abstract class FlightDesk {
  /** @returns the text that the tool answers with */
  abstract answer(name: string, args: Readonly<Record<string, unknown>>): string;
}

// The published schemas describe the properties and not the objects: these have no doc comments.
export interface Flight {
  /** Flight number, such as 'HAT001'. */
  readonly flight_number: string;
  /** The date for the flight in the format 'YYYY-MM-DD', such as '2024-05-01'. */
  readonly date: string;
}

export interface Passenger {
  /** The first name of the passenger, such as 'Noah'. */
  readonly first_name: string;
  /** The last name of the passenger, such as 'Brown'. */
  readonly last_name: string;
  /** The date of birth of the passenger in the format 'YYYY-MM-DD', such as '1990-01-01'. */
  readonly dob: string;
}

export interface Payment {
  /**
   * The payment id stored in user profile, such as 'credit_card_7815826', 'gift_card_7815826',
   * 'certificate_7815826'.
   */
  readonly payment_id: string;
  /** The amount to be paid. */
  readonly amount: number;
}

export type FlightType = 'one_way' | 'round_trip';
export type Cabin = 'basic_economy' | 'economy' | 'business';
