import type { FunctionDeclaration, Tool, ToolListUnion } from '@google/genai';

import { toGeminiSchema } from '@adorn/core/dialects';

const converted = new WeakMap<FunctionDeclaration, FunctionDeclaration>();

/** Merges all function declarations into one tool at the position of the first; other tools are unchanged. */
export function mergeDeclarations(tools: ToolListUnion): ToolListUnion {
  const functionDeclarations: FunctionDeclaration[] = [];
  const merged: ToolListUnion = [];
  for (const tool of tools) {
    if (!hasDeclarations(tool)) {
      merged.push(tool);
      continue;
    }
    if (functionDeclarations.length === 0) merged.push({ functionDeclarations });
    functionDeclarations.push(...tool.functionDeclarations.map(toGeminiDeclaration));
    merged.push(...otherFieldsOf(tool));
  }
  return merged;
}

type DeclaringTool = Tool & { readonly functionDeclarations: FunctionDeclaration[] };

function hasDeclarations(tool: ToolListUnion[number]): tool is DeclaringTool {
  return (
    'functionDeclarations' in tool &&
    Array.isArray(tool.functionDeclarations) &&
    tool.functionDeclarations.length > 0
  );
}

function otherFieldsOf({ functionDeclarations: _declarations, ...rest }: DeclaringTool): Tool[] {
  return Object.keys(rest).length > 0 ? [rest] : [];
}

/** Converted once per declaration, as one tool serves many turns. */
function toGeminiDeclaration(declaration: FunctionDeclaration): FunctionDeclaration {
  const known = converted.get(declaration);
  if (known !== undefined) return known;
  const fresh = { ...declaration };
  if (isSchema(fresh.parametersJsonSchema))
    fresh.parametersJsonSchema = toGeminiSchema(fresh.parametersJsonSchema);
  if (isSchema(fresh.responseJsonSchema)) fresh.responseJsonSchema = toGeminiSchema(fresh.responseJsonSchema);
  converted.set(declaration, fresh);
  return fresh;
}

function isSchema(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
