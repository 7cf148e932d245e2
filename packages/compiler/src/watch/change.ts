/** A file that changed on disk. */
export interface Change {
  /** With `/` on every platform, as TypeScript has it. */
  readonly path: string;
  /** Whether the file came or went, so that a project may have others than before. */
  readonly cameOrWent: boolean;
}
