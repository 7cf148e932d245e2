import type { Event, FunctionCall, InvocationContext } from '@adorn/core';
import {
  type CallSource,
  type CodeExecutionResult,
  describeThrown,
  effectiveEventsBackwards,
  exceedsBytes,
  InvocationCancelledError,
  isRequestName,
  isSameJson,
  logOf,
  longResultName,
  type OpenTurn,
  outcomeOfCode,
  outputOfCode,
  type Step,
  type TurnModelRequest,
} from '@adorn/core/backend';
import { Script, type ScriptPlace } from './script.js';
import { functionNames } from './function-declarations.js';
import { type CodeResponse, DEFAULT_OUTPUT, shortened } from './code-response.js';

const ANSWERED: Step = Object.freeze({ kind: 'answered' });

/** How often a script is run again from its start because its sandbox has failed. */
const MOST_RESTARTS = 2;

/** The largest value of a script that is stored, in bytes of JSON. */
const MAX_VALUE = 1024 * 1024;

const TOO_LONG = `The value was dropped: it has more than ${String(MAX_VALUE)} bytes of JSON. Return less.\n`;

/**
 * Makes the calls of an agent from a script, which is the text of the message. Each call is an event like that of a model, and
 * each result is read from the log: a script that goes on in another process, after a pause or a crash, is run again from its
 * start, and gets the recorded results in the order of its calls, until it makes a call that the log does not have.
 */
export class ScriptCalls implements CallSource {
  private readonly running = new WeakMap<OpenTurn, RunningScript>();

  constructor(private readonly place: ScriptPlace) {}

  async ask(turn: OpenTurn, restarts = 0): Promise<Step> {
    const { agent, context } = turn;
    if (context.cancellation.isCancelled) return turn.cancelled();
    const running = this.running.get(turn) ?? (await this.start(turn));
    if ('kind' in running) return running;
    const proceeding = proceed(running, turn).catch((error: unknown) => new SandboxFault(error));
    const next = await context.cancellation.wait(proceeding).catch((error: unknown) => {
      if (error instanceof InvocationCancelledError) return turn.cancelled();
      throw error;
    });
    if (next === 'calls') return storeCalls(running, turn);
    if ('kind' in next) return next;
    if ('stdout' in next) return answered(next, turn);
    const { error } = next;
    context.services.logger.warn('the sandbox of a script failed', { agent: agent.name, error });
    this.end(turn);
    if (restarts < MOST_RESTARTS) return this.ask(turn, restarts + 1);
    const stderr = `The sandbox failed (${describeThrown(error).name}), and not the script.\n`;
    return answered({ stdout: '', stderr, exitCode: 1 }, turn);
  }

  end(turn: OpenTurn): void {
    this.running.get(turn)?.script.stop();
    this.running.delete(turn);
  }

  /** Starts the script with the tools of the agent and its toolsets, or ends the turn if one of these is missing. */
  private async start(turn: OpenTurn): Promise<RunningScript | Step> {
    const listing = await turn.listTools();
    if ('kind' in listing) return listing;
    const { tools } = listing;
    const script = new Script(turn.input, functionNames(tools.names), this.place);
    const running = { script, tools, log: new CallLog() };
    this.running.set(turn, running);
    return running;
  }
}

/** A script, the tools that it may call, and its calls in the log. */
interface RunningScript {
  readonly script: Script;
  readonly tools: TurnModelRequest['tools'];
  readonly log: CallLog;
}

/** What was thrown while a script went on. */
class SandboxFault {
  constructor(readonly error: unknown) {}
}

/**
 * Gives the script the results that the log has and it has not, until it makes another call or ends.
 *
 * @returns `calls` if it has made calls, its result if it has ended, or else the step that ends the turn
 * @throws if the sandbox has failed
 */
async function proceed(
  { script, log }: RunningScript,
  turn: OpenTurn,
): Promise<'calls' | CodeExecutionResult | Step> {
  log.read(turn);
  for (const call of log.calls.slice(script.answered)) {
    const response = log.responses.get(call.id ?? '');
    if (!response) return ANSWERED;
    const isMade = await script.hasMade(script.answered + 1);
    // A failed sandbox is no script that has changed.
    if (!isMade) await script.end();
    const made = isMade ? script.calls[script.answered] : undefined;
    if (made?.tool !== call.name || !isSameJson(made?.args, call.args ?? {}))
      return changed(turn, log, { index: script.answered, made: made?.tool });
    script.answered++;
    if (typeof response['error'] === 'string') made?.reject(messageOf(response));
    else made?.resolve(await resultOf(call, response, turn.context));
  }
  return (await script.hasMade(log.calls.length + 1)) ? 'calls' : script.end();
}

/** Emits the calls that the script has made since, as many as an answer of a model may have. */
function storeCalls({ script, tools }: RunningScript, turn: OpenTurn): Promise<Step> {
  const { maxCallsPerAnswer } = turn.context.config;
  const made = script.calls.slice(script.answered, script.answered + Math.max(1, maxCallsPerAnswer));
  return turn.storeCalls(
    made.map(({ tool: name, args }) => ({ name, args })),
    tools,
  );
}

/** Emits the end of the script: its outcome, output and value as JSON. */
async function answered(result: CodeExecutionResult, turn: OpenTurn): Promise<Step> {
  const output = shortened(outputOfCode(result), DEFAULT_OUTPUT);
  const isTooLong = exceedsBytes(result.result, MAX_VALUE);
  const response: CodeResponse = isTooLong
    ? { outcome: outcomeOfCode(result), output: output + TOO_LONG }
    : { outcome: outcomeOfCode(result), output, result: result.result };
  const content = { role: 'model', parts: [{ text: JSON.stringify(response) }] };
  await turn.sink.emit(turn.countedEvent({ content, turnComplete: true }, 0));
  return ANSWERED;
}

/**
 * Ends a script that makes another call than the one that the log has at this place. The model is told what has been done:
 * otherwise it would do it once more.
 */
function changed(
  turn: OpenTurn,
  log: CallLog,
  { index, made }: { readonly index: number; readonly made: string | undefined },
): Step {
  const name = log.calls[index]?.name ?? '';
  const instead =
    made === undefined
      ? 'it ended'
      : made === name
        ? 'it called it with other arguments'
        : `it called "${made}"`;
  const errorMessage =
    `The script was run again from its start, and its call ${String(index + 1)} was "${name}" before; now ${instead}. ` +
    `Nothing was called again. ${shortened(doneIn(log), DEFAULT_OUTPUT)} A script must make the same calls for the same ` +
    'results: write it without the time and random numbers, and run a new one for what is left.';
  const body = { errorCode: 'SCRIPT_CHANGED', errorMessage, turnComplete: true };
  return { kind: 'end', event: turn.countedEvent(body, 0) };
}

/** What the calls of a script have done, in their order. */
function doneIn({ calls, responses }: CallLog): string {
  const done = calls.flatMap(({ id = '', name = '', args = {} }) => {
    const response = responses.get(id);
    return response ? [`${name}(${briefJson(args)}) returned ${briefJson(response)}`] : [];
  });
  return done.length === 0
    ? 'No call was made.'
    : `These calls have been made, and must not be repeated: ${done.join('; ')}.`;
}

/** JSON of at most 500 characters. */
function briefJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length <= BRIEF ? json : `${json.slice(0, BRIEF)}…`;
}

const BRIEF = 500;

/** The calls of a script in the log, in their order, and their responses. Each event is read once. */
class CallLog {
  readonly calls: FunctionCall[] = [];
  /** By the ids of the calls, without those that are still awaited. */
  readonly responses = new Map<string, Readonly<Record<string, unknown>>>();
  private readTo = 0;

  /** Reads what has been stored since. */
  read(turn: OpenTurn): void {
    const { session } = turn.context;
    const events = logOf(session);
    const added = events.slice(Math.max(0, events.length - (session.nextSeq - this.readTo)));
    this.readTo = session.nextSeq;
    const sinceInput: Event[] = [];
    for (const event of effectiveEventsBackwards(added)) {
      if (turn.isOwn(event) && isInput(event)) break;
      sinceInput.push(event);
    }
    for (const event of sinceInput.reverse()) {
      // The result that a person or a system supplies is an event of the conversation.
      for (const { id = '', response = {}, willContinue } of event.functionResponses)
        if (willContinue !== true) this.responses.set(id, response);
      if (turn.isOwn(event))
        this.calls.push(...event.functionCalls.filter(({ name }) => !isRequestName(name)));
    }
  }
}

/** True for the message with the script. */
function isInput({ author, functionResponses }: Event): boolean {
  return author === 'user' && functionResponses.length === 0;
}

/** The result of a call. If the log has its beginning only, it is read from its artifact. */
async function resultOf(
  { id = '' }: FunctionCall,
  response: Readonly<Record<string, unknown>>,
  { services, sessionKey }: InvocationContext,
): Promise<unknown> {
  if (response['truncated'] !== true) return valueOf(response);
  const artifact = await services.artifacts.load(sessionKey, longResultName(id));
  const { data } = artifact?.inlineData ?? {};
  if (data === undefined) return valueOf(response);
  return valueOf(JSON.parse(Buffer.from(data, 'base64').toString()) as Readonly<Record<string, unknown>>);
}

/** The value that the tool returned: one that is no object is under `result` in its response. */
function valueOf(response: Readonly<Record<string, unknown>>): unknown {
  const [first, ...others] = Object.keys(response);
  return first === 'result' && others.length === 0 ? response['result'] : response;
}

function messageOf({ error, reason }: Readonly<Record<string, unknown>>): string {
  return typeof reason === 'string' ? `${String(error)}: ${reason}` : String(error);
}
