import type { Content, FunctionCall, Part } from '../../events/genai-types.js';
import { CallbackFailedError } from '../../gates/callbacks/errors.js';
import type { AgentNode } from '../../run/agent-node.js';
import { type CallbackContext, ReadonlyContext } from '../../run/callback-context.js';
import { outputTextIn, withOutputText } from '../../turn/structured-output.js';
import type { Guardrail } from './guardrail.js';
import { judgeAll, type Where } from './verdict.js';

/** The content with checked texts, the same object if nothing changed. Answers and thoughts are checked apart. */
export async function checkedContent(
  content: Content,
  guardrails: readonly Guardrail[],
  where: Where,
  context: CallbackContext,
): Promise<Content> {
  const { parts = [] } = content;
  if (guardrails.length === 0) return content;
  const groups = [
    parts.filter((part) => part.thought !== true),
    parts.filter((part) => part.thought === true),
  ];
  const replaced = new Map<Part, string>();
  for (const group of groups) {
    const texts = group.filter(({ text }) => text !== undefined && text !== '');
    const text = texts.map((part) => part.text).join('');
    const safe = text === '' ? '' : await judgeAll(guardrails, text, where, context);
    if (safe !== text)
      for (const [index, part] of texts.entries()) replaced.set(part, index === 0 ? safe : '');
  }
  if (replaced.size === 0) return content;
  return { ...content, parts: parts.map((part) => ({ ...part, ...textIn(replaced, part) })) };
}

/** The content with checked outputs of calls, which a model gives by a tool that cannot answer with a schema beside tools. */
export async function checkedOutputs(
  content: Content,
  guardrails: readonly Guardrail[],
  context: CallbackContext,
): Promise<Content> {
  if (guardrails.length === 0) return content;
  const { parts = [] } = content;
  const agent = ReadonlyContext.agentOf(context);
  const replaced = new Map<Part, FunctionCall>();
  for (const part of callsIn(content)) {
    const text = outputTextIn(agent, part.functionCall);
    if (text === undefined) continue;
    const safe = await judgeAll(guardrails, text, 'output', context);
    if (safe !== text) replaced.set(part, withOutput(agent, part.functionCall, safe));
  }
  if (replaced.size === 0) return content;
  const checked = parts.map((part) => {
    const functionCall = replaced.get(part);
    return functionCall === undefined ? part : { ...part, functionCall };
  });
  return { ...content, parts: checked };
}

export function callsIn(content: Content | undefined): (Part & { readonly functionCall: FunctionCall })[] {
  return (content?.parts ?? []).filter(
    (part): part is Part & { functionCall: FunctionCall } => part.functionCall !== undefined,
  );
}

/** @throws {CallbackFailedError} if what the guardrails made of the output is no JSON */
function withOutput(agent: AgentNode, call: FunctionCall, text: string): FunctionCall {
  try {
    return withOutputText(agent, call, text);
  } catch (error) {
    throw CallbackFailedError.from(
      'check of the output guardrails, whose text is not the JSON of an answer',
      error,
    );
  }
}

function textIn(replaced: ReadonlyMap<Part, string>, part: Part): Pick<Part, 'text'> {
  const text = replaced.get(part);
  return text === undefined ? {} : { text };
}
