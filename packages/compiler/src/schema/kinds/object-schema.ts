import type { JsonSchema } from '@adorn/core';

import { ts } from '../../typescript.js';
import type { SchemaTags } from '../../docs/schema-tags.js';
import { type DocComment, NO_WORDS } from '../../docs/doc-comment.js';
import { wordsOf } from '../../docs/words-of.js';
import { brandsOf } from '../brand.js';
import { classMark } from './class-mark.js';
import { isOfEveryObject } from '../data-member.js';
import { propertyOf, type PropertySchema } from './property-schema.js';
import { under } from '../refusal.js';
import { marked } from '../hydration-mark.js';
import { declaredName, isObject } from '../type-name.js';
import type { Direction, SchemaWriter } from '../schema-writer.js';
import type { CheckerContext } from '../checker-context.js';
import { withWords } from '../words/with-words.js';

const NUMERIC_KEY = '^-?[0-9]+(\\.[0-9]+)?$';

/** True if the type has a name from user code. Such types are definitions in `$defs`. */
export function isNamed(type: ts.Type, { program }: CheckerContext): boolean {
  const symbol = type.aliasSymbol ?? (isClassOrInterface(type) ? type.symbol : undefined);
  if (!symbol || declaredName(symbol) === undefined) return false;
  return !(symbol.declarations ?? []).some((one) => program.isSourceFileDefaultLibrary(one.getSourceFile()));
}

/** An object by the checker's view of it, which has merged bases, intersections and mapped types already. */
export function objectSchema(type: ts.Type, schemas: SchemaWriter): JsonSchema {
  refuseCallable(type, schemas);
  const mark = schemas.direction === 'in' ? classMark(type, schemas.world.checker) : undefined;
  const brands = brandsOf(type);
  const isOpen = schemas.world.checker.getIndexInfosOfType(type).length > 0;
  const properties = schemas.world.checker
    .getPropertiesOfType(type)
    .filter(({ name }) => !brands.has(name))
    .flatMap((symbol) => propertyOf(symbol, { type, isOpen, isMade: mark !== undefined }, schemas) ?? []);
  // A class without a name or instances is refused when its plan is derived.
  if (mark?.name !== undefined && mark.obstacle === undefined && properties.length === 0)
    refuseWithoutData(type, schemas);
  const required = properties.filter((property) => property.required).map(({ name }) => name);
  const words = wordsOfType(type);
  if (words.tags['asType'] !== undefined)
    return withWords({}, { ...words, tags: { asType: words.tags['asType'] } });
  const schema = {
    type: 'object',
    // Before the properties, where readers look for it.
    ...(words.description !== undefined && { description: words.description }),
    ...(properties.length > 0 && {
      properties: Object.fromEntries(
        properties.map((one) => [one.name, withPropertyTag(one, words, schemas.direction)]),
      ),
    }),
    ...(required.length > 0 && { required }),
    ...indexed(type, schemas),
  };
  const described = withWords(schema, { ...words, tags: objectTags(words.tags, type) });
  return mark ? marked(described, mark) : described;
}

/** `@property name Text` at an object describes a property without its own comment. */
function withPropertyTag(
  { name, schema }: PropertySchema,
  { params }: DocComment,
  direction: Direction,
): JsonSchema {
  return 'description' in schema ? schema : withWords(schema, params.get(name), direction);
}

function isClassOrInterface(type: ts.Type): boolean {
  const flags = (type.symbol as ts.Symbol | undefined)?.flags ?? 0;
  return isObject(type) && (flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) !== 0;
}

function refuseCallable(type: ts.Type, schemas: SchemaWriter): void {
  if (type.getConstructSignatures().length > 0) {
    throw schemas.refuse(
      type,
      'it is a class itself, and JSON has none.',
      'Write its name as a string literal type.',
    );
  }
  if (type.getCallSignatures().length > 0) {
    throw schemas.refuse(type, 'it is a function.', 'Write the data that the function would be called with.');
  }
}

/** A class that does something and has nothing to fill in is a service, or keeps its data to itself. */
function refuseWithoutData(type: ts.Type, schemas: SchemaWriter): void {
  const { checker } = schemas.world;
  const isOwn = (method: ts.Symbol): boolean => !isOfEveryObject(method, checker.getTypeOfSymbol(method));
  if (!checker.getPropertiesOfType(type).some((one) => one.flags & ts.SymbolFlags.Method && isOwn(one)))
    return;
  throw schemas.refuse(
    type,
    'it is a class with methods and without any data that a model could fill in.',
    'Inject it (@inject), or write a type with the data.',
  );
}

/**
 * The schema of properties that only index signatures allow; nothing without them, or for `never`. A result may have
 * more properties than its type names.
 */
function indexed(type: ts.Type, schemas: SchemaWriter): JsonSchema {
  const patterns: [string, JsonSchema][] = [];
  let additional: JsonSchema | boolean = isEmptyLiteral(type);
  for (const { keyType, type: valueType, declaration } of schemas.world.checker.getIndexInfosOfType(type)) {
    if (valueType.flags & ts.TypeFlags.Never) continue;
    const node =
      declaration?.type && schemas.world.checker.getTypeFromTypeNode(declaration.type) === valueType
        ? declaration.type
        : undefined;
    const value = under('[key]', () => schemas.schemaOf(valueType, node));
    const key = schemas.schemaOf(keyType);
    if (key['type'] === 'number') patterns.push([NUMERIC_KEY, value]);
    else if (typeof key['pattern'] === 'string') patterns.push([key['pattern'], value]);
    else additional = Object.keys(value).length === 0 ? true : value;
  }
  const patternProperties = patterns.length > 0 && { patternProperties: Object.fromEntries(patterns) };
  const isSaid = additional !== true && !(additional === false && schemas.direction === 'out');
  return { ...patternProperties, ...(isSaid && { additionalProperties: additional }) };
}

/** `{}` written as such allows every object. */
function isEmptyLiteral(type: ts.Type): boolean {
  const symbol = type.symbol as ts.Symbol | undefined;
  if (!symbol || !(symbol.flags & ts.SymbolFlags.TypeLiteral)) return false;
  const written = symbol.declarations?.[0];
  return written === undefined || (ts.isTypeLiteralNode(written) && written.members.length === 0);
}

function wordsOfType(type: ts.Type): DocComment {
  const alias = wordsOf(
    type.aliasSymbol?.declarations?.filter((one) => !one.getSourceFile().isDeclarationFile),
  );
  return alias === NO_WORDS && isClassOrInterface(type) ? wordsOf(type.symbol.declarations) : alias;
}

/** The tags of an interface that apply to the whole object. An index signature takes precedence. */
function objectTags(tags: SchemaTags, type: ts.Type): SchemaTags {
  const kept = ['minProperties', 'maxProperties', 'examples', 'default', 'title', 'deprecated', 'faults'];
  if (!type.getStringIndexType()) kept.push('additionalProperties');
  return Object.fromEntries(Object.entries(tags).filter(([name]) => kept.includes(name)));
}
