/** The command line asks for something that is not there. The command that catches it adds where to read what there is. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
