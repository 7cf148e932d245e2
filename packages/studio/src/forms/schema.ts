/** A JSON Schema, as far as forms read it. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly nullable?: boolean;
}

/** The control that a value is edited with. */
export type FieldKind =
  'text' | 'long-text' | 'number' | 'integer' | 'boolean' | 'choice' | 'object' | 'list' | 'json';

/** The control for values of a schema. What no control fits is edited as JSON. */
export function fieldKind(schema: JsonSchema): FieldKind {
  if (schema.enum) return 'choice';
  switch (typeOf(schema)) {
    case 'string':
      return (schema.maxLength ?? 0) > 200 ? 'long-text' : 'text';
    case 'number':
      return 'number';
    case 'integer':
      return 'integer';
    case 'boolean':
      return 'boolean';
    case 'object':
      return Object.keys(schema.properties ?? {}).length > 0 ? 'object' : 'json';
    case 'array':
      return schema.items ? 'list' : 'json';
    default:
      return 'json';
  }
}

/** The schema without the alternative null. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const alternatives = (schema.anyOf ?? schema.oneOf)?.filter((one) => one.type !== 'null');
  const [only] = alternatives ?? [];
  if (!only || alternatives?.length !== 1) return schema;
  return {
    ...only,
    title: only.title ?? schema.title,
    description: only.description ?? schema.description,
  };
}

function typeOf({ type }: JsonSchema): string | undefined {
  const types = (typeof type === 'string' ? [type] : (type ?? [])).map((name) => name.toLowerCase());
  const others = types.filter((name) => name !== 'null');
  return others.length === 1 ? others[0] : undefined;
}

/** A schema that a value fits, for a form of arguments whose schema is unknown. */
export function schemaOfValue(value: unknown): JsonSchema {
  if (typeof value === 'string') return { type: 'string', maxLength: value.length > 80 ? 10_000 : 80 };
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const properties = Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, schemaOfValue(one)]),
  );
  return { type: 'object', properties, required: Object.keys(properties) };
}

/** The value that a new form begins with. */
export function initialValue(schema: JsonSchema): unknown {
  const { default: given, enum: choices } = schema;
  if (given !== undefined) return given;
  switch (fieldKind(schema)) {
    case 'boolean':
      return false;
    case 'list':
      return [];
    case 'choice':
      return choices?.[0];
    case 'object': {
      const required = Object.entries(schema.properties ?? {}).filter(([name]) =>
        schema.required?.includes(name),
      );
      return Object.fromEntries(
        required.map(([name, property]) => [name, initialValue(withoutNull(property))]),
      );
    }
    default:
      return undefined;
  }
}

/** A copy of the object with one value set, or removed if it is undefined. */
export function withValue(
  object: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
): Record<string, unknown> {
  const entries = Object.entries(object).filter(([key]) => key !== name);
  if (value === undefined) return Object.fromEntries(entries);
  return name in object
    ? Object.fromEntries(Object.entries(object).map(([key, old]) => [key, key === name ? value : old]))
    : Object.fromEntries([...entries, [name, value]]);
}

/** The fault of a value in words; undefined if a form of the schema may be sent with it. */
export function faultOf(schema: JsonSchema, value: unknown, name = 'The value'): string | undefined {
  const kind = fieldKind(schema);
  if (value === undefined) return `${name} is missing.`;
  if (kind === 'integer' && !Number.isInteger(value)) return `${name} must be a whole number.`;
  if (kind === 'number' && typeof value !== 'number') return `${name} must be a number.`;
  if (typeof value === 'number') return rangeFault(schema, value, name);
  if (typeof value === 'string') return textFault(schema, value, name);
  if (kind !== 'object' || typeof value !== 'object' || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (fields[key] === undefined && schema.required?.includes(key) !== true) continue;
    const fault = faultOf(withoutNull(property), fields[key], wordsOf(key));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function rangeFault({ minimum, maximum }: JsonSchema, value: number, name: string): string | undefined {
  if (minimum !== undefined && value < minimum) return `${name} must be at least ${String(minimum)}.`;
  if (maximum !== undefined && value > maximum) return `${name} must be at most ${String(maximum)}.`;
  return undefined;
}

function textFault(
  { minLength = 0, maxLength = Infinity }: JsonSchema,
  value: string,
  name: string,
): string | undefined {
  if (value.length < minLength) return `${name} must have at least ${String(minLength)} characters.`;
  if (value.length > maxLength && maxLength > 200) return undefined;
  return value.length > maxLength ? `${name} must have at most ${String(maxLength)} characters.` : undefined;
}

/** `orderId` and `order_id` are "Order id". */
export function wordsOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
