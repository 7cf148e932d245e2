import type { DerivedTool } from '@adorn/core/compiler';

import { SchemaInvalidError, TypeNotRepresentableError } from '../errors/errors.js';
import type { CheckerContext } from '../schema/checker-context.js';
import { withoutMarks } from '../schema/hydration-mark.js';
import { Refusal, TagRefusal } from '../schema/refusal.js';
import { TypeSchemas } from '../schema/type-schemas.js';
import { placeOf, printedPlace } from '../source/place.js';
import type { ts } from '../typescript.js';
import { checkedSchema, withDefinitions } from './finished-schema.js';
import type { FoundClass } from './find-classes.js';
import { HydrationPlans } from './hydration-plans.js';

/**
 * The fields of a class as a schema, with the plan of an instance: what a tool has whose arguments are the fields.
 *
 * @throws TypeNotRepresentableError for a field whose type JSON cannot hold
 * @throws SchemaInvalidError if tags make the schema invalid
 */
export function extractFields({ name, node }: FoundClass, world: CheckerContext): DerivedTool {
  return refusing({ name, node }, () => {
    const schemas = new TypeSchemas(world, 'in');
    const schema = schemas.objectSchema(instanceType(node, world.checker));
    const plans = new HydrationPlans(schemas.definitions);
    const revive = plans.planOf(schema);
    const { revivals, ownInstances: instances } = plans;
    return {
      parameters: [withoutMarks({ kind: 'arguments' as const, ...(revive && { revive }) })],
      ...(revivals !== undefined && { revivals }),
      ...(instances !== undefined && { instances }),
      parametersJsonSchema: checkedSchema(withDefinitions(schema, schemas.definitions)),
    };
  });
}

function instanceType(node: ts.ClassLikeDeclaration, checker: ts.TypeChecker): ts.Type {
  const symbol = node.name ? checker.getSymbolAtLocation(node.name) : undefined;
  return symbol ? checker.getDeclaredTypeOfSymbol(symbol) : checker.getTypeAtLocation(node);
}

/** Names the class and the field of what is refused inside. */
function refusing<Result>({ name, node }: FoundClass, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof SyntaxError) throw new SchemaInvalidError(name, printedPlace(node), error.message);
    if (error instanceof TagRefusal) {
      const problem = `at "${error.path.join('.')}", ${error.message}`;
      throw new SchemaInvalidError(name, printedPlace(error.at ?? node), problem, { cause: error });
    }
    if (!(error instanceof Refusal)) throw error;
    const [field = name, ...path] = error.path;
    const member = node.members.find((one) => one.name?.getText() === field) ?? node;
    const place = { ...placeOf(member), className: name, parameter: field, path };
    throw new TypeNotRepresentableError(place, error.type, error.reason, error.cure, error.isUnresolved);
  }
}
