// Errors.
export { AdornError } from './errors/adorn.error.js';
export { describeThrown, kindOf, type ThrownDescription } from './errors/describe-thrown.js';
export { type AdornErrorCode, ERROR_CODES, isAdornErrorCode } from './errors/error-codes.js';

// JSON.
export { decodeBase64 } from './json/base64.js';
export { ForeignObject, UnexpectedShapeError } from './json/foreign-object.js';
export { estimateTokens, exceedsBytes, tokensOfLength } from './json/json-size.js';
export {
  type BytesInJson,
  bytesInJson,
  canonicalJson,
  copyJson,
  frozenJson,
  isBytes,
  isJsonValue,
  isPlain,
  isSameJson,
  type JsonForm,
  MAX_JSON_DEPTH,
  toJsonValue,
  ValueNotJsonError,
} from './json/json-value.js';
export {
  credentialsIn,
  isSecretName,
  LogRedaction,
  redact,
  REDACTED,
  withoutCredentials,
} from './json/log-redaction.js';
export { present, type Present } from './json/present.js';
export { redactJson } from './json/redact-json.js';

// Names.
export {
  assertName,
  assertScope,
  assertSessionKey,
  checkName,
  checkScope,
  checkSessionKey,
  isNameTooLong,
  MAX_NAME_BYTES,
  type NamedScope,
  refuseTooLong,
  shortened,
  shownName,
} from './names/check-name.js';
export { composedKey, composedParts, composedPrefix } from './names/composed-key.js';

// Metadata of classes.
export {
  baseOf,
  type ClassReference,
  defineParameterSlot,
  defineSlot,
  type MetadataSlot,
  noteParameter,
  type ParameterTable,
  parameterTypes,
  readMetadata,
  readOwnMetadata,
  updateOwnMetadata,
} from './metadata/class-metadata.js';

// Options of a caller, held against their rules.
export { checkOptions, OptionInvalidError } from './options/check-options.js';
export {
  nearestNames,
  type OptionFault,
  optionNames,
  slipOf,
  suggestName,
  unknownOption,
} from './options/nearest-names.js';
export {
  ANY,
  BOOLEAN,
  booleanOr,
  FUNCTION,
  invalidOption,
  LIMIT,
  LIST,
  OBJECT,
  oneOf,
  optionFault,
  type OptionRules,
  optionsOf,
  POSITIVE,
  required,
  rule,
  type Rule,
  secret,
  shown,
  TEXT,
  TEXTS,
  wholeFrom,
  withoutOptions,
} from './options/option-values.js';

// JSON Schema, read.
export { areDisjoint, type DisjointOptions } from './reader/are-disjoint.js';
export { SchemaDocument, valueAt } from './reader/schema-document.js';
export {
  asSchema,
  branchesOf,
  definitionsOf,
  elementSchema,
  type ElementSchemas,
  elementsOf,
  isObject,
  type JsonSchema,
  literalsOf,
  patternsOf,
  propertiesOf,
  requiredOf,
  schemasIn,
  schemasWithin,
  statedTypes,
  subschemasOf,
  typeOf,
} from './reader/schema-parts.js';

// What the compiler has derived of a class.
export type {
  DerivationFault,
  OnDemandAnswer,
  OnDemandEntry,
  RecordAnswer,
  RecordRequest,
} from './derived/derive-on-demand.js';
export {
  type BytesName,
  type ChoiceHydration,
  type ClassHydration,
  type DefinedFunction,
  DERIVED,
  type DerivedClass,
  type DerivedFunction,
  type DerivedParameter,
  type DerivedTool,
  type Hydration,
  type HydrationBranch,
  type JsonType,
  type LeafHydration,
  type ListHydration,
  type ObjectHydration,
} from './derived/derived-class.js';
export {
  DECLARATION_SITES,
  type DerivedRecords,
  FunctionRecord,
  type HelpfulRecords,
  loadDerivedRecords,
  loadFunctionRecord,
  sourceName,
  type ToolMethods,
  writtenRecord,
} from './derived/derived-records.js';

// Arguments, held against a schema.
export { type SchemaCompiler, schemaCompiler, type Validate } from './arguments/ajv.js';
export {
  type ArgumentCheck,
  type ArgumentCheckOptions,
  type Arguments,
  type CheckedArguments,
  compileArgumentCheck,
  type UnknownArguments,
} from './arguments/argument-check.js';
export { ToolArgumentsInvalidError } from './arguments/argument-errors.js';
export type { SchemaFault } from './arguments/schema-fault.js';
export {
  argumentPath,
  describeProblems,
  OF_ANSWER,
  type ProblemWords,
} from './arguments/describe-problems.js';
export type { Integer } from './arguments/integer.js';
export { responseSchemaOf } from './arguments/response-schema.js';
export {
  type ExplicitSchema,
  isStandardSchema,
  type OutputOf,
  type StandardSchema,
  toJsonSchema,
} from './arguments/standard-schema.js';

// Instances made of checked arguments.
export { HydrationFaults } from './hydration/hydrate-value.js';
export { type HydrationParts, Hydrator } from './hydration/hydrator.js';
export { resolveParameterClasses } from './hydration/parameter-classes.js';
