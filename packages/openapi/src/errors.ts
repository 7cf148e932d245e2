import { AdornError } from '@adorn/core';

/** A document cannot be read, or is no OpenAPI 3 document. */
export class OpenApiDocumentError extends AdornError {
  readonly code = 'OPENAPI_DOCUMENT_INVALID';

  /** @param document how the document was given, such as its path */
  constructor(document: string, fault: string, cure: string, options?: ErrorOptions) {
    super(`The OpenAPI document ${document} cannot be used: ${fault}. ${cure}`, options);
  }
}

/** An operation cannot be a tool; the other operations of the document can. */
export class OpenApiOperationError extends AdornError {
  readonly code = 'OPENAPI_OPERATION_UNSUPPORTED';

  /** @param operation method and path, such as `GET /pets/{id}` */
  constructor(
    readonly operation: string,
    readonly fault: string,
    cure = 'Correct the document, or leave the operation out with except.',
  ) {
    super(`The operation ${operation} cannot be a tool: ${fault}. ${cure}`);
  }
}

/** An option of `openApiToolset` does not exist or has an invalid value. */
export class OpenApiOptionError extends AdornError {
  readonly code = 'OPENAPI_OPTION_INVALID';

  constructor(fault: string, cure: string) {
    super(`openApiToolset: ${fault}. ${cure}`);
  }
}

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
