import type { JsonSchema } from 'adorn';

import { isObject, type JsonObject } from './json-object.js';
import { accepts } from './oracle.js';
import type { PythonCall } from './python-call.js';

/** A call that a model is expected to make. */
export interface ExpectedCall {
  /** The published name of the function. */
  readonly name: string;
  readonly args: JsonObject;
}

/** Among the acceptable values of an argument, this one says that it may be left out. */
const LEFT_OUT = '';

/**
 * One acceptable call of those that an answer states: for each argument a list of acceptable values, and so within
 * objects. Of several values the first that fits the schema is taken, or the first of all where none does.
 */
export function chooseCall(name: string, acceptable: JsonObject, schema: JsonSchema): ExpectedCall {
  return { name, args: chooseFields(acceptable, schema) };
}

/** The call that is written in Python; what has no name is bound in the order of the parameters. */
export function boundCall({ name, positional, named }: PythonCall, schema: JsonSchema): ExpectedCall {
  const names = Object.keys(propertiesOf(schema));
  const unnamed = positional.map((value, index) => [names[index] ?? `argument ${String(index)}`, value]);
  return { name, args: { ...(Object.fromEntries(unnamed) as JsonObject), ...named } };
}

function chooseFields(acceptable: JsonObject, schema: JsonSchema): JsonObject {
  const fields = Object.entries(acceptable).flatMap(([name, values]) => {
    const own = propertiesOf(schema)[name];
    const chosen = chooseValue(values as readonly unknown[], isObject(own) ? own : {});
    const isRequired = Array.isArray(schema['required']) && schema['required'].includes(name);
    return chosen === LEFT_OUT && !isRequired ? [] : [[name, chosen] as const];
  });
  return Object.fromEntries(fields);
}

/** An empty list of acceptable values is how an empty list is stated. */
function chooseValue(acceptable: readonly unknown[], schema: JsonSchema): unknown {
  if (acceptable.length === 0) return [];
  const stated = acceptable.filter((value) => value !== LEFT_OUT);
  const values = stated.flatMap((value) => formsOf(value, schema));
  if (values.length === 0) return LEFT_OUT;
  const fitting = values.findIndex((value) => accepts(schema, value));
  return values[Math.max(fitting, 0)];
}

/** What a stated value may mean: an object's fields state acceptable values again, or are the values themselves. */
function formsOf(value: unknown, schema: JsonSchema): unknown[] {
  return typeof value === 'object' && value !== null ? [chosenWithin(value, schema), value] : [value];
}

function chosenWithin(value: unknown, schema: JsonSchema): unknown {
  const { items } = schema;
  if (Array.isArray(value)) return value.map((each) => chosenWithin(each, isObject(items) ? items : {}));
  const isChoice = isObject(value) && Object.values(value).every((field) => Array.isArray(field));
  return isChoice ? chooseFields(value, schema) : value;
}

function propertiesOf({ properties }: JsonSchema): JsonObject {
  return isObject(properties) ? properties : {};
}
