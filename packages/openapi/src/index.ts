export type { OpenApiSource } from './document/load-document.js';
export type { OperationInfo } from './document/operation.js';
export { OpenApiDocumentError, OpenApiOperationError, OpenApiOptionError } from './errors.js';
export type { OperationChoice } from './operation-choice.js';
export { OpenApiToolset, openApiToolset } from './openapi.toolset.js';
export type {
  ApproversOption,
  ConfirmOption,
  OpenApiToolsetOptions,
  OperationHooks,
  OperationRequest,
} from './options.js';
export type { OperationResult } from './request/read-response.js';
export type { RestApiTool } from './rest-api.tool.js';
export type { AuthOptions } from './security/operation-auth.js';
export type { SecurityOptions } from './security/security-scheme.js';
