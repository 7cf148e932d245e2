import { isObject, type JsonSchema, literalsOf, schemasIn } from '../reader/schema-parts.js';
import { SchemaDocument } from '../reader/schema-document.js';

/** The allowed values of a schema, in the two forms used in messages to the model. */
interface Forms {
  /** Schemas whose values are all objects. */
  readonly objects: readonly JsonSchema[];
  /** Schemas without any object among their values. */
  readonly others: readonly JsonSchema[];
}

type Form = keyof Forms;

/**
 * The schema of a response, made of that of a result: an object is answered as it is, anything else under `result`.
 * Undefined where the schema does not say which of them a value is, as it is of `unknown`.
 */
export function responseSchemaOf(result: JsonSchema): JsonSchema | undefined {
  const { $defs, ...root } = result;
  const forms = new ResponseForms(new SchemaDocument(result)).formsOf(root);
  if (!forms) return undefined;
  const response = responseOf(forms);
  return $defs === undefined ? response : { ...response, $defs };
}

function responseOf({ objects, others }: Forms): JsonSchema {
  const [object] = objects;
  if (others.length === 0 && objects.length === 1 && object?.['type'] === 'object') return object;
  if (others.length === 0) return { type: 'object', anyOf: objects };
  const wrapped = { type: 'object', properties: { result: oneOrMore(others) }, required: ['result'] };
  return objects.length === 0 ? wrapped : { type: 'object', anyOf: [...objects, wrapped] };
}

function oneOrMore(schemas: readonly JsonSchema[]): JsonSchema {
  const [only = {}, ...more] = schemas;
  return more.length === 0 ? only : { anyOf: schemas };
}

class ResponseForms {
  private readonly opened = new Set<unknown>();

  constructor(private readonly document: SchemaDocument) {}

  /** Undefined for a schema that says nothing of the form of a value. */
  formsOf(schema: JsonSchema): Forms | undefined {
    const { $ref, anyOf, type } = schema;
    if (typeof $ref === 'string') return this.formsOfReference($ref, schema);
    if (Array.isArray(anyOf)) return this.formsOfChoices(anyOf as readonly JsonSchema[], schema);
    if (Array.isArray(type)) return formsOfTypes(type as readonly string[], schema);
    const form = this.formOf(schema);
    if (form === undefined) return undefined;
    return { objects: [], others: [], [form]: [schema] };
  }

  /** The schema referred to, as providers want the type of the whole to be said. A reference to itself says nothing. */
  private formsOfReference(reference: string, { $ref: _, ...words }: JsonSchema): Forms | undefined {
    const found = this.document.find(reference);
    if (!found || this.opened.has(found)) return undefined;
    this.opened.add(found);
    return this.formsOf({ ...found, ...words });
  }

  private formsOfChoices(
    choices: readonly JsonSchema[],
    { anyOf: _, ...rest }: JsonSchema,
  ): Forms | undefined {
    const all = choices.map((choice) => this.formsOf({ ...rest, ...choice }));
    const known = all.filter((forms) => forms !== undefined);
    if (known.length < all.length) return undefined;
    return {
      objects: known.flatMap(({ objects }) => objects),
      others: known.flatMap(({ others }) => others),
    };
  }

  private formOf(schema: JsonSchema): Form | undefined {
    const { type } = schema;
    if (typeof type === 'string') return type === 'object' ? 'objects' : 'others';
    const literals = literalsOf(schema);
    if (literals) return common(literals.map(formOfValue));
    const forms = schemasIn(schema['allOf']).map((part) => this.formsOf(part));
    const only = forms.map((one) => one && onlyFormOf(one));
    return only.find((form) => form !== undefined);
  }
}

function formsOfTypes(types: readonly string[], schema: JsonSchema): Forms {
  const others = types.filter((type) => type !== 'object');
  const objects = types.length > others.length ? [{ ...schema, type: 'object' }] : [];
  if (others.length === 0) return { objects, others: [] };
  if (objects.length === 0) return { objects, others: [schema] };
  const [only, ...more] = others;
  return { objects, others: [{ type: more.length === 0 ? only : others }] };
}

function formOfValue(value: unknown): Form {
  return isObject(value) ? 'objects' : 'others';
}

function onlyFormOf({ objects, others }: Forms): Form | undefined {
  if (objects.length > 0 && others.length > 0) return undefined;
  return objects.length > 0 ? 'objects' : 'others';
}

function common(forms: readonly Form[]): Form | undefined {
  const [first] = forms;
  return forms.every((form) => form === first) ? first : undefined;
}
