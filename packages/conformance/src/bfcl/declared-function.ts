import { FunctionTool, type JsonSchema } from 'adorn';

import { schemaOfDocument } from './document-schema.js';
import type { FunctionDocument } from './function-document.js';
import { legalNames } from './legal-names.js';

/** A published function as a tool that answers with what it was given. */
export interface DeclaredFunction {
  readonly document: FunctionDocument;
  readonly schema: JsonSchema;
  readonly tool: FunctionTool;
}

/** The functions of one question as the tools of one agent. */
export function declareFunctions(documents: readonly FunctionDocument[]): DeclaredFunction[] {
  const names = legalNames(documents.map(({ name }) => name));
  return documents.map((document, index) => {
    const schema = schemaOfDocument(document.parameters);
    return { document, schema, tool: echoTool(names[index] ?? '', document.description, schema) };
  });
}

function echoTool(name: string, description: string, parameters: JsonSchema): FunctionTool {
  return new FunctionTool({ name, description, parameters, run: (args) => ({ received: args }) });
}
