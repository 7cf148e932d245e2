import type { FunctionCall, ModelRequest } from '@adorn/core';

import { askFor, sayOffers } from './phrases.js';
import { offeredAgents, TRANSFER } from './choose-agent.js';
import { chooseTool } from './choose-tool.js';
import type { Conversation } from './conversation.js';
import { describeResult, isFailure } from './describe-result.js';
import { fillArguments, type Said } from './fill-arguments.js';
import { type OfferedTool, offeredTools, parametersOf } from './offered-tool.js';
import { SaidText } from './said-text.js';
import { answerSchema, structuredAnswer } from './structured-answer.js';
import { shapeOf, writtenLike } from './value-shape.js';

/** The next step. */
export type Decision =
  | { readonly kind: 'call'; readonly calls: readonly FunctionCall[] }
  | { readonly kind: 'say'; readonly text: string }
  /** An answer that a program reads. */
  | { readonly kind: 'data'; readonly text: string };

/** The tool for structured answers of models that accept no schema together with tools. */
const ANSWER = 'set_model_response';

/** Decides what to do, and gives what is said in the form that the request asks for. */
export function decide(request: ModelRequest, conversation: Conversation): Decision {
  const decision = nextStep(request, conversation);
  if (decision.kind === 'call') return decision;
  const tool = offeredTools(request).find(({ name }) => name === ANSWER);
  if (tool) {
    const args = structuredAnswer(tool.parameters, conversation) as Record<string, unknown>;
    return { kind: 'call', calls: [{ name: ANSWER, args }] };
  }
  const schema = answerSchema(request);
  return schema ? { kind: 'data', text: JSON.stringify(structuredAnswer(schema, conversation)) } : decision;
}

/** Goes through the request's steps ("…, then …") one call after the other, and tells what came of them. */
function nextStep(request: ModelRequest, conversation: Conversation): Decision {
  const { answers } = conversation;
  const steps = stepsOf(conversation.request);
  const step = steps[answers.length];
  if (!step || answers.at(-1)?.some(isFailure) === true) return tell(conversation);
  return act(request, conversation, step);
}

/** "Track W1, then cancel W2" is two steps; what was replied to a question belongs to the one it was asked about. */
function stepsOf(request: readonly string[]): (readonly string[])[] {
  const [first = '', ...replies] = request;
  const steps = first.split(/[,;.]?\s+(?:and then|then|after that|afterwards)\s+/i);
  return steps.map((step) => [step, ...replies]);
}

function tell({ answers }: Conversation): Decision {
  const text = answers.flat().map(describeResult).join('\n');
  return { kind: 'say', text };
}

function act(request: ModelRequest, conversation: Conversation, step: readonly string[]): Decision {
  const { answers, request: whole, earlier } = conversation;
  const said = { request: step, earlier: answers.length > 0 ? [...earlier, ...whole] : earlier };
  const offered = offeredTools(request);
  const tools = offered.filter(({ name }) => name !== TRANSFER && name !== ANSWER);
  const agents = conversation.wasTransferred ? [] : offeredAgents(request, offered);
  const tool =
    answered(tools, conversation, said) ?? chooseTool([...tools, ...agents], latest(conversation, said));
  if (!tool) return answers.length > 0 ? tell(conversation) : { kind: 'say', text: sayOffers(tools) };
  if (agents.includes(tool))
    return { kind: 'call', calls: [{ name: TRANSFER, args: { agent_name: tool.name } }] };
  return use(tool, tool.name === conversation.askedAbout ? said : latest(conversation, said));
}

/** The tool that our question was about, where the reply told something that it needs. */
function answered(
  tools: readonly OfferedTool[],
  { askedAbout }: Conversation,
  said: Said,
): OfferedTool | undefined {
  const tool = tools.find(({ name }) => name === askedAbout);
  if (!tool) return undefined;
  const missingBefore = fillArguments(tool, { ...said, request: said.request.slice(0, -1) }).missing.length;
  return fillArguments(tool, said).missing.length < missingBefore ? tool : undefined;
}

/** A reply that answers no question is a new request. */
function latest({ askedAbout }: Conversation, said: Said): Said {
  if (askedAbout === undefined) return said;
  return { request: said.request.slice(-1), earlier: [...said.earlier, ...said.request.slice(0, -1)] };
}

function use(tool: OfferedTool, said: Said): Decision {
  const { args, missing } = fillArguments(tool, said);
  if (missing.length > 0) return { kind: 'say', text: askFor(tool, missing) };
  return {
    kind: 'call',
    calls: severalOf(tool, args, said).map((each) => ({ name: tool.name, args: each })),
  };
}

/** "Where are W1 and W2" is two calls of a tool that takes one order. */
function severalOf(
  { parameters }: OfferedTool,
  args: Record<string, unknown>,
  said: Said,
): Record<string, unknown>[] {
  const [only, another] = parametersOf(parameters).filter(({ required }) => required);
  const shape = only?.path.length === 1 && !another ? shapeOf(only.schema) : undefined;
  if (!only || !shape) return [args];
  const found = new SaidText(said.request.join('\n'))
    .takeAll(shape)
    .map((one) => writtenLike(one, only.schema));
  const values = [...new Set(found)];
  return values.length < 2 ? [args] : values.map((value) => ({ ...args, [only.name]: value }));
}
