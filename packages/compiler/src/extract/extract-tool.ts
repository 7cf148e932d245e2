import type { JsonSchema } from '@adorn/core';
import type { DerivedParameter, DerivedTool } from '@adorn/core/compiler';

import type { Words } from '../docs/doc-comment.js';
import { allOrEveryFault, SchemaInvalidError, TypeNotRepresentableError } from '../errors/errors.js';
import type { CheckerContext } from '../schema/checker-context.js';
import { withoutMarks } from '../schema/hydration-mark.js';
import { Refusal, TagRefusal } from '../schema/refusal.js';
import { TypeSchemas } from '../schema/type-schemas.js';
import { withTags } from '../schema/words/with-tags.js';
import { placeOf, printedPlace } from '../source/place.js';
import { ts } from '../typescript.js';
import { type Callable, labelOf } from './callable.js';
import { checkedSchema, withDefinitions } from './finished-schema.js';
import { type Argument, extractParameter, extractWhole, isDestructured } from './extract-parameters.js';
import { extractResponse } from './extract-response.js';
import { HydrationPlans } from './hydration-plans.js';
import { injectedKind, positionals } from './injected-kind.js';

interface Arguments {
  readonly parameters: readonly DerivedParameter[];
  readonly schema: JsonSchema;
  /** The schema of each parameter that the model fills in, as far as it does, in the order of the parameters. */
  readonly filled: readonly (JsonSchema | undefined)[];
}

/** A tool, with data that is valid only in this process. */
export interface ExtractedTool {
  readonly tool: DerivedTool;
  /** The classes of which instances are promised, by name. */
  readonly classes: ReadonlyMap<string, ts.ClassLikeDeclaration>;
  /** Optional members of parameter types that are functions, which the schema leaves out: `Options.onDone`. */
  readonly omitted: ReadonlySet<string>;
}

/**
 * The declaration of one tool, from the signature and doc comment of its method or function.
 *
 * @throws TypeNotRepresentableError for a parameter or a result whose type JSON cannot hold
 * @throws SeveralFaultsError where several parameters have one
 * @throws SchemaInvalidError where tags make the schema invalid
 */
export function extractTool(callable: Callable, world: CheckerContext): ExtractedTool {
  const schemas = new TypeSchemas(world, 'in');
  const found = extractArguments(callable, schemas);
  const plans = new HydrationPlans(schemas.definitions);
  const parameters = withPlans(callable, found, plans);
  const initialized = initializedArguments(positionals(callable.node));
  const { revivals, ownInstances: instances } = plans;
  const declared = withDefinitions(found.schema, schemas.definitions);
  const { schema, description } = withExamples(declared, callable.words);
  const tool = {
    ...(description !== undefined && { description }),
    parameters,
    ...(initialized.length > 0 && { initialized }),
    ...(revivals !== undefined && { revivals }),
    ...(instances !== undefined && { instances }),
    parametersJsonSchema: valid(callable, schema),
    ...extractResponse(callable, world),
  };
  return { tool, classes: plans.namedClasses, omitted: schemas.omitted };
}

/** The examples of whole calls that the comment has: in the schema if they are JSON that fits it, else in the description. */
function withExamples(
  schema: JsonSchema,
  { description, tags: { examples = [] }, at }: Words,
): { readonly schema: JsonSchema; readonly description: string | undefined } {
  const tagged = withTags(schema, { examples }, at);
  const texts = [description, ...tagged.notes].filter((text) => text !== undefined && text !== '');
  return { schema: tagged.schema, description: texts.length === 0 ? undefined : texts.join('\n\n') };
}

/** The parameters with what has to be made of their values. */
function withPlans(
  callable: Callable,
  { parameters, filled }: Arguments,
  plans: HydrationPlans,
): DerivedParameter[] {
  const declared = positionals(callable.node);
  return allOrEveryFault(
    parameters.map((parameter, index) => () => {
      const [schema, node] = [filled[index], declared[index]];
      if (!schema || !node) return parameter;
      const revive = refusing(callable, node, () => plans.planOf(schema));
      return revive ? withoutMarks({ ...parameter, revive }) : parameter;
    }),
  );
}

function extractArguments(callable: Callable, schemas: TypeSchemas): Arguments {
  const { node, words, takesWhole = false } = callable;
  const declared = positionals(node);
  const { checker } = schemas.world;
  const [only, ...more] = declared.filter((one) => injectedKind(one, checker) === undefined);
  if (only && (takesWhole || (more.length === 0 && isDestructured(only)))) {
    if (more[0]) refuseSecond(callable, more[0], schemas);
    const schema = refusing(callable, only, () => extractWhole(only, words, schemas));
    const parameters = declared.map((one) => injectedOr(one, checker, { kind: 'arguments' }));
    return { parameters, schema, filled: declared.map((one) => (one === only ? schema : undefined)) };
  }
  const extracted = allOrEveryFault(
    declared.map((one) => () => refusing(callable, one, () => extractParameter(one, words, schemas))),
  );
  return {
    parameters: extracted.map(({ source }) => source),
    schema: objectOf(extracted.flatMap(({ argument }) => argument ?? [])),
    filled: extracted.map(({ argument }) => argument?.schema),
  };
}

function injectedOr(
  parameter: ts.ParameterDeclaration,
  checker: ts.TypeChecker,
  otherwise: DerivedParameter,
): DerivedParameter {
  const kind = injectedKind(parameter, checker);
  return kind === undefined ? otherwise : { kind };
}

function objectOf(args: readonly Argument[]): JsonSchema {
  const required = args.filter((argument) => argument.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(args.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function refuseSecond(callable: Callable, second: ts.ParameterDeclaration, schemas: TypeSchemas): void {
  refusing(callable, second, () => {
    throw schemas.refuse(
      schemas.world.checker.getTypeAtLocation(second),
      'the function gets all the arguments as one object, and the context.',
      'Make it a property of that object, or give the function itself to defineTool.',
    );
  });
}

/** Names the method or function and the parameter of what is refused inside. */
function refusing<Result>(
  callable: Callable,
  parameter: ts.ParameterDeclaration,
  work: () => Result,
): Result {
  const { className, name } = callable;
  try {
    return work();
  } catch (error) {
    if (error instanceof TagRefusal) {
      const at = printedPlace(error.at ?? parameter);
      const path = [parameter.name.getText(), ...error.path].join('.');
      const problem = `at "${path}", ${error.message}`;
      throw new SchemaInvalidError(labelOf(callable), at, problem, { cause: error });
    }
    if (!(error instanceof Refusal)) throw error;
    const place = {
      ...placeOf(parameter),
      ...(className !== undefined && { className }),
      method: name,
      parameter: parameter.name.getText(),
      path: error.path,
    };
    throw new TypeNotRepresentableError(place, error.type, error.reason, error.cure, error.isUnresolved);
  }
}

function valid(callable: Callable, schema: JsonSchema): JsonSchema {
  try {
    return checkedSchema(schema);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SchemaInvalidError(labelOf(callable), printedPlace(callable.node), error.message);
  }
}

/** The arguments whose default the code sets itself, also in a destructured parameter. */
function initializedArguments(parameters: readonly ts.ParameterDeclaration[]): string[] {
  return parameters.flatMap(({ name, initializer }) => {
    if (ts.isObjectBindingPattern(name)) return name.elements.flatMap(initializedElement);
    return initializer && ts.isIdentifier(name) ? [name.text] : [];
  });
}

function initializedElement({ propertyName, name, initializer }: ts.BindingElement): string[] {
  const key = propertyName ?? name;
  if (!initializer) return [];
  return ts.isIdentifier(key) || ts.isStringLiteral(key) ? [key.text] : [];
}
