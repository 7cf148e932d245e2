import type { ErrorObject } from 'ajv';

import { argumentPath } from './argument-path.js';
import { stepsOf } from './json-pointer.js';

const LONGEST_VALUE = 60;

/** One fault of the arguments as a sentence for the model: where, what is allowed, what was there. */
export function describeProblem(error: ErrorObject): string {
  const steps = stepsOf(error.instancePath);
  const where = argumentPath(steps);
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return `${argumentPath([...steps, String(params['missingProperty'])])} is required and missing`;
    case 'additionalProperties':
      return `${argumentPath([...steps, String(params['additionalProperty'])])} is not a parameter`;
    case 'enum':
      return `${where} must be one of ${list(params['allowedValues'])}, not ${shown(error.data)}`;
    case 'const':
      return `${where} must be ${shown(params['allowedValue'])}, not ${shown(error.data)}`;
    case 'type':
      return `${where} must be ${typeNames(params['type'])}, not ${shown(error.data)}`;
    default:
      return `${where} ${error.message ?? `fails "${error.keyword}"`}, and is ${shown(error.data)}`;
  }
}

function typeNames(type: unknown): string {
  return Array.isArray(type) ? type.join(' or ') : String(type);
}

function list(values: unknown): string {
  return Array.isArray(values) ? values.map((value) => shown(value)).join(', ') : String(values);
}

/** A value as JSON, cut: a long one may be anything, and tells nothing. */
function shown(value: unknown): string {
  const text = (JSON.stringify(value) as string | undefined) ?? 'nothing';
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
}
