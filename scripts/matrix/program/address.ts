import { IsString, Length } from 'class-validator';

/** Where a parcel goes. */
export class Address {
  /** Street and number. */
  @IsString()
  street!: string;

  /** Country code. */
  @Length(2, 2)
  country!: string;

  label(): string {
    return `${this.street}, ${this.country}`;
  }
}
