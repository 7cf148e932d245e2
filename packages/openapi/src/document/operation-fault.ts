/** Why an operation cannot be a tool: a reference that leads nowhere, or a part that cannot be read or done. */
export class OperationFault extends Error {
  /**
   * @param fault a clause
   * @param cure a clause in the imperative; by default, that of `OpenApiOperationError`
   */
  constructor(
    readonly fault: string,
    readonly cure?: string,
  ) {
    super(fault);
  }
}
