/** The command line asks for something that is not there. */
export class UsageError extends Error {
  constructor(message: string) {
    super(`${message} "npm run chaos -- --help" says what there is.`);
    this.name = 'UsageError';
  }
}
