/** What goes into one box. */
export interface Parcel {
  /** What is in it. @minItems 1 */
  lines: Line[];
  gift?: boolean;
}

export interface Line {
  /** Article number. */
  sku: string;
  /** How many. @minimum 1 */
  count: number;
}
