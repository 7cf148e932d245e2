/** One part of a value that does not fit its schema, as validators of JSON Schema report it. */
export interface SchemaFault {
  /** The keyword that the value breaks, such as `required`. */
  readonly keyword: string;
  /** Where the value stands: a JSON Pointer. */
  readonly instancePath: string;
  /** Where the keyword stands in the schema: a JSON Pointer behind `#`. */
  readonly schemaPath: string;
  /** What the keyword demands. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The validator's sentence. */
  readonly message?: string;
  /** The schema that has the keyword. */
  readonly parentSchema?: object;
  /** The value. */
  readonly data?: unknown;
}
