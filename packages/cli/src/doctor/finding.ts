/** What one check of `adorn doctor` has found. */
export interface Finding {
  /** What was looked at, such as `Node`. */
  readonly about: string;
  /** `fault`: it will not work. `warning`: it may not work as expected. `note`: nothing is wrong. */
  readonly status: 'fine' | 'note' | 'warning' | 'fault';
  /** What was found. */
  readonly text: string;
  /** What to do. Absent if there is nothing to do. */
  readonly cure?: string | undefined;
}
