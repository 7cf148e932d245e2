/** A person has cancelled a question of a command. */
export class InterruptedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}
