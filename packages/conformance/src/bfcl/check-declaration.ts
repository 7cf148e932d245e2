import { toGeminiSchema } from '@adorn/core/dialects';
import { Ajv2020 } from 'ajv/dist/2020.js';

import type { Check } from '../check.js';
import { messageOf } from '../message-of.js';
import type { DeclaredFunction } from './declared-function.js';
import { isObject, type JsonObject } from './json-object.js';
import { LEGAL_NAME } from './legal-names.js';

const ajv = new Ajv2020({ strict: false, validateFormats: false, addUsedSchema: false });

/** A declaration that can be sent: a legal name, a schema that compiles, and one for Gemini with every parameter. */
export function checkDeclaration(questionId: string, declared: DeclaredFunction): Check {
  return { what: `${questionId}, ${declared.document.name}`, fault: faultOf(declared) };
}

function faultOf({ document, schema, tool }: DeclaredFunction): string | undefined {
  if (!LEGAL_NAME.test(tool.name)) return `"${tool.name}" is no legal name`;
  try {
    ajv.compile(schema);
    const names = Object.keys(propertiesOf(document.parameters));
    const sent = Object.keys(propertiesOf(toGeminiSchema(schema)));
    const lost = names.find((name) => !sent.includes(name));
    return lost === undefined ? undefined : `its parameter ${lost} is lost`;
  } catch (error) {
    return messageOf(error);
  }
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {};
}
