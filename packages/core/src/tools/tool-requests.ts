import { type AnswerSubject, isApproved, permissionOf } from '../approvals/answer-authority.js';
import { type ApproverRule, type ApproverRules, checkedRule, NO_RULES } from '../approvals/approver-rule.js';
import type { RequestedAuthConfig } from '../auth/requested-auth-config.js';
import {
  AdornError,
  copyJson,
  frozenJson,
  isSameJson,
  toJsonValue,
  schemaCompiler,
  type JsonSchema,
  type ExplicitSchema,
  isStandardSchema,
  optionNames,
  type StandardSchema,
  toJsonSchema,
} from '@adorn/schema';
import { asksAfterTool, type CallAsker } from '../events/call-asker.js';
import {
  type AnsweredRequest,
  approvalsWith,
  principalIn,
  readDecision,
  type ToolConfirmation,
} from '../events/pending-request.js';
import { requireOptions } from '../run/run-config.js';
import type { Awaitable } from '../runtime/awaitable.js';
import { describeIssue } from './bind-arguments.js';
import { ToolError, ToolSchemaInvalidError } from './errors.js';

/** A question to ask before a call runs. */
export interface Confirmation {
  /** The question to the person. */
  readonly hint: string;
  /** Shown with the hint; the person may send one back with the approval. */
  readonly payload?: unknown;
}

/** What `confirm` may return: whether to ask, the hint, or a full confirmation. */
export type Asked = boolean | string | Confirmation;

/** Decides for each call, from its arguments, whether to ask. */
export type ConfirmationPredicate<Parameters extends readonly unknown[]> = (
  ...args: Parameters
) => Awaitable<Asked>;

/** Only `false` lets a call run unasked. Any other value, also undefined or one of a wrong type, asks. */
export function toConfirmation(asked: unknown, toolName: string): Confirmation | undefined {
  if (asked === false) return undefined;
  if (typeof asked === 'string' && asked !== '') return { hint: asked };
  return confirmationOf(asked, toolName);
}

/** The confirmation to ask for, with a default hint if there is none. */
export function confirmationOf(asked: unknown, toolName: string): Confirmation {
  return isConfirmation(asked) ? asked : { hint: `Approve execution of tool \`${toolName}\`?` };
}

function isConfirmation(asked: unknown): asked is Confirmation {
  return typeof asked === 'object' && asked !== null && 'hint' in asked && typeof asked.hint === 'string';
}

/** A request for an input, as a tool makes it. */
export interface InputRequest<Schema extends ExplicitSchema = ExplicitSchema> {
  /** The question to the person. Default: none. */
  readonly message?: string;
  /** Data shown with the question, as JSON. */
  readonly payload?: unknown;
  /** The schema of the input: JSON Schema, or a schema of a library such as zod. Default: anything. */
  readonly schema?: Schema;
  /** Who may answer; a `count` is not counted here. Default: the requester, whatever `approvers` of the tool says. */
  readonly approvers?: ApproverRule;
}

/** A confirmation that a running function asks for. */
export interface RequestedConfirmation extends Confirmation {
  /** Who may answer, in addition to `approvers` of the tool if the tool itself asks. Default: as the tool says. */
  readonly approvers?: ApproverRule;
}

const INPUT = optionNames<InputRequest>({ message: true, payload: true, schema: true, approvers: true });
const CONFIRMATION = optionNames<RequestedConfirmation>({ hint: true, payload: true, approvers: true });

/**
 * The confirmation that a running function asks for, with a default hint if there is none.
 *
 * @throws {RunConfigInvalidError} for an option that does not exist: a misspelt `approvers` would let the requester answer
 */
export function requestedConfirmation(
  asked: string | Partial<RequestedConfirmation> = {},
  toolName: string,
): RequestedConfirmation {
  if (typeof asked === 'string') return { hint: asked };
  requireOptions('context.requestConfirmation', asked, CONFIRMATION);
  return { ...asked, ...confirmationOf(asked, toolName) };
}

/** Who may answer the questions of one function of a call. */
export interface QuestionPolicy extends Omit<AnswerSubject, 'rules'> {
  /** The rules of its confirmations, if a confirmation is answered: those of the tool, if the tool itself asks. */
  readonly rules: ApproverRules;
  /** The rules of a new confirmation. */
  readonly decide: () => Promise<ApproverRules>;
}

/** A request for an input, as a person sees it. */
export interface InputQuestion {
  readonly message?: string;
  readonly payload?: unknown;
  readonly schema?: JsonSchema;
}

/** A question of a function of a call. */
export type ToolQuestion =
  | {
      readonly kind: 'confirmation';
      readonly confirmation: Confirmation;
      readonly approvers: ApproverRules;
    }
  | { readonly kind: 'input'; readonly input: InputQuestion; readonly approvers: ApproverRules }
  | {
      readonly kind: 'credential';
      readonly authConfig: RequestedAuthConfig;
      /** Why it is asked for again. */
      readonly hint?: string | undefined;
    }
  /** The agent that the tool runs waits for a person. */
  | { readonly kind: 'agent' };

/**
 * The requests that one function of a call makes, such as the tool while it runs. A request with an answer returns it;
 * the first one without an answer ends the function, which later runs again from its start with all its answers. An
 * answer belongs to a request with equal content, and is used once per run.
 */
export class ToolRequests {
  /** The question for which the call waits. */
  question: Promise<ToolQuestion> | undefined;
  private readonly unused: AnsweredRequest[];

  constructor(
    readonly asker: CallAsker,
    given: readonly AnsweredRequest[],
    private readonly policy: QuestionPolicy,
  ) {
    this.unused = [...given];
  }

  /** Makes the call wait for the requests of the tool's agent. */
  waitForAgent(tool: string): ToolPausedError {
    return this.pause(tool, Promise.resolve({ kind: 'agent' }));
  }

  /** @throws {ToolPausedError} if nobody has approved yet */
  confirm(tool: string, { hint, payload, approvers }: RequestedConfirmation): ToolConfirmation {
    const confirmation = { hint, ...shownPayload(payload) };
    const own = rulesOf(approvers, tool);
    const rules = [...this.policy.rules, ...own];
    const subject = { ...this.policy, rules };
    const answered = this.findAnswered(
      'confirmation',
      confirmation,
      ({ request, response }) =>
        rules.length === 0 ||
        isApproved(approvalsWith(request, response), { ...subject, askedAt: request.askedAt }),
    );
    const decision = answered && readDecision(answered.request, answered.response);
    if (decision === undefined) throw this.pause(tool, confirmationQuestion(confirmation, own, this.policy));
    return decision.confirmation;
  }

  /**
   * @throws {ToolPausedError} if nobody has answered yet
   * @throws {RunConfigInvalidError} for an option that does not exist
   * @throws {ToolError} if the answer matches the JSON Schema, but not the other checks of the schema library
   */
  async input(tool: string, request: InputRequest): Promise<unknown> {
    requireOptions('context.requestInput', request, INPUT);
    const { message, payload, schema, approvers } = request;
    const shown = { hint: message ?? '', ...shownPayload(payload) };
    const rules = rulesOf(approvers, tool);
    const subject = { ...this.policy, rules };
    const answered = this.findAnswered('input', shown, ({ request, response }) => {
      const by = principalIn(response);
      if (rules.length === 0) return true;
      return by !== undefined && permissionOf(by, { ...subject, askedAt: request.askedAt }) === 'allowed';
    });
    if (answered === undefined) throw this.pause(tool, inputQuestion(tool, shown, { schema, rules }));
    const value = copyJson(answered.response['result']);
    return schema !== undefined && isStandardSchema(schema) ? outputOf(schema, value) : value;
  }

  /** The error of a tool that needs a credential from the user. */
  credential(tool: string, authConfig: RequestedAuthConfig, hint?: string): ToolPausedError {
    return this.pause(tool, Promise.resolve({ kind: 'credential', authConfig, hint }));
  }

  private findAnswered(
    kind: AnsweredRequest['request']['kind'],
    shown: Confirmation,
    isCovered: (answered: AnsweredRequest) => boolean,
  ): AnsweredRequest | undefined {
    const index = this.unused.findIndex(({ request, response }) => {
      const isSame = request.hint === shown.hint && isSameJson(request.payload, shown.payload);
      return request.kind === kind && isSame && isCovered({ request, response });
    });
    return index < 0 ? undefined : this.unused.splice(index, 1)[0];
  }

  /** The first question counts, also if the tool caught the error and asked again. */
  private pause(tool: string, question: Promise<ToolQuestion>): ToolPausedError {
    this.question ??= question;
    return new ToolPausedError(tool, this.asker);
  }
}

async function outputOf(schema: StandardSchema, value: unknown): Promise<unknown> {
  const result = await schema['~standard'].validate(value);
  if (result.issues === undefined) return result.value;
  throw new ToolError(
    `The input of the person was refused: ${result.issues.map((issue) => describeIssue(issue)).join('; ')}.`,
  );
}

function shownPayload(payload: unknown): { readonly payload?: unknown } {
  return payload === undefined ? {} : { payload: frozenJson(toJsonValue(payload)) };
}

/** Decides who may answer, for which the outcome of the call waits. */
function confirmationQuestion(
  confirmation: Confirmation,
  own: ApproverRules,
  { decide }: QuestionPolicy,
): Promise<ToolQuestion> {
  const asked = (async () => {
    const approvers = [...(await decide()), ...own];
    return { kind: 'confirmation' as const, confirmation, approvers };
  })();
  asked.catch(noop);
  return asked;
}

/** Converts and compiles the schema, for which the outcome of the call waits. */
function inputQuestion(
  tool: string,
  { hint, ...shown }: Confirmation,
  { schema, rules }: { readonly schema: ExplicitSchema | undefined; readonly rules: ApproverRules },
): Promise<ToolQuestion> {
  const question = { ...(hint !== '' && { message: hint }), ...shown };
  if (schema === undefined) return Promise.resolve({ kind: 'input', input: question, approvers: rules });
  const asked = withChecked(tool, question, { schema, rules });
  asked.catch(noop);
  return asked;
}

async function withChecked(
  tool: string,
  question: InputQuestion,
  { schema: given, rules }: { readonly schema: ExplicitSchema; readonly rules: ApproverRules },
): Promise<ToolQuestion> {
  try {
    const schema = isStandardSchema(given) ? await toJsonSchema(given) : frozenJson(given);
    (await schemaCompiler(schema))();
    return { kind: 'input', input: { ...question, schema }, approvers: rules };
  } catch (cause) {
    throw new ToolSchemaInvalidError(tool, 'context.requestInput', cause);
  }
}

/** @throws {ApproversInvalidError} */
function rulesOf(approvers: ApproverRule | undefined, tool: string): ApproverRules {
  return approvers === undefined ? NO_RULES : [checkedRule(approvers, tool)];
}

function noop(): void {
  // A schema or approvers that are not valid are the outcome of the call.
}

/**
 * Ends a function of a call whose request has no answer yet. Do not catch it: the run pauses, and the function runs again
 * from its start once the answer is there.
 */
export class ToolPausedError extends AdornError {
  readonly code = 'TOOL_PAUSED';

  constructor(tool: string, asker: CallAsker) {
    const caller = asker === 'tool' ? `The tool "${tool}"` : `The function ${asker} of a call of "${tool}"`;
    const again = asker === 'tool' ? 'the tool runs' : 'it runs';
    const kept = asksAfterTool(asker) ? ', with the stored result of the tool' : '';
    super(
      `${caller} waits for an answer to its request. Do not catch this error: ${again} again from its ` +
        `start once the answer is there${kept}.`,
    );
  }
}
