import {
  type CallbackContext,
  type Content,
  type Event,
  type GenerateContentConfig,
  type ModelRequest,
  type ModelResponse,
  type Part,
  Plugin,
} from '@adorn/core';
import {
  BOOLEAN,
  checkPluginOptions,
  FUNCTION,
  kindOf,
  type OptionRules,
  type PluginHost,
  PluginOptionInvalidError,
  redactJson,
  rule,
  TEXT,
  wholeFrom,
} from '@adorn/core/backend';

import { RedactedStream } from './redacted-stream.js';

/** Returns a text without what must not be stored. */
type Redactor = (text: string) => string;

/** The options of a `RedactionPlugin`: patterns, a function, or both. */
export interface RedactionOptions {
  /** The patterns to replace. All matches are replaced, with or without the flag `g`. */
  readonly patterns?: readonly RegExp[];
  /** Returns a text without what must not be stored; called after the patterns were applied. A throw aborts the run. */
  readonly redact?: (text: string) => string;
  /** Replaces each match of a pattern. Default: `[redacted]`. */
  readonly replacement?: string;
  /** Whether requests to models are redacted as well. Default: true. */
  readonly requests?: boolean;
  /**
   * The maximal length, in characters, that a pattern matches or looks at. Pieces of streamed answers are shown with
   * a delay of that length. Default: pieces are not shown, only the complete answer. Not allowed with `redact`.
   */
  readonly maxMatchLength?: number;
}

const OPTIONS: OptionRules<RedactionOptions> = {
  patterns: rule(
    (value) => Array.isArray(value) && value.every((pattern) => pattern instanceof RegExp),
    'Pass a list of regular expressions, such as [/sk-\\w+/].',
  ),
  redact: FUNCTION,
  replacement: TEXT,
  requests: BOOLEAN,
  maxMatchLength: wholeFrom(1),
};

/**
 * Replaces parts of texts before they are stored, shown or sent to a model: in messages of users, answers of models,
 * results of tools, state deltas, error messages, system instructions, and log lines. Function calls keep their ids, names and
 * arguments, because a call runs with the arguments that are stored; files, and answers to requests, are left as
 * they are as well. Register it before plugins that read texts.
 */
export class RedactionPlugin extends Plugin {
  readonly name: string = 'redaction';
  private readonly patterns: readonly RegExp[];
  private readonly replacement: string;
  private readonly redactor: Redactor;
  private readonly changesRequests: boolean;
  /** Cached, because contents of the history are the same objects in every request. */
  private readonly redacted = new WeakMap<Content, Content>();
  private readonly streams = new WeakMap<CallbackContext, RedactedStream>();

  /** @throws {PluginOptionInvalidError} */
  constructor(private readonly options: RedactionOptions) {
    super();
    checkOptions(options);
    const { patterns = [], redact, replacement = '[redacted]', requests = true } = options;
    this.patterns = patterns.map(({ source, flags }) => new RegExp(source, `${flags.replace(/[gy]/g, '')}g`));
    this.replacement = replacement;
    this.changesRequests = requests;
    this.redactor = (text) => {
      let safe = text;
      for (const pattern of this.patterns) safe = safe.replace(pattern, () => replacement);
      return redact === undefined ? safe : requireText(redact(safe));
    };
  }

  /** Log lines are redacted as well. */
  override onRegister(host: PluginHost): void {
    host.addRedactor(this.redactor);
  }

  override onUserMessage(message: Content): Content | undefined {
    return changed(message, redactContent(message, this.redactor, 'message'));
  }

  override onEvent(event: Event): Event | undefined {
    const { content, errorMessage, actions, customMetadata } = event;
    const heard = this.safeTranscript(event, 'inputTranscription');
    const said = this.safeTranscript(event, 'outputTranscription');
    const safe = content && redactContent(content, this.redactor, 'event');
    const message = errorMessage && this.redactor(errorMessage);
    const stateDelta = redactJson(actions.stateDelta, this.redactor);
    const metadata = redactJson(customMetadata, this.redactor);
    const isSame = safe === content && message === errorMessage && metadata === customMetadata;
    const areSame = heard === event.inputTranscription && said === event.outputTranscription;
    if (isSame && areSame && stateDelta === actions.stateDelta) return undefined;
    return event.with({
      content: safe,
      inputTranscription: heard,
      outputTranscription: said,
      errorMessage: message,
      customMetadata: metadata,
      actions: { ...actions, stateDelta },
    });
  }

  override beforeModel(request: ModelRequest): undefined {
    if (!this.changesRequests) return;
    request.contents = request.contents.map((content) => this.safeContent(content));
    const { systemInstruction } = request.config;
    const safe = this.safeInstruction(systemInstruction);
    if (safe !== systemInstruction) request.config = { ...request.config, systemInstruction: safe };
  }

  /** A match may begin in one piece and end in another. */
  override onModelPiece(piece: ModelResponse, context: CallbackContext): ModelResponse | false {
    const { maxMatchLength } = this.options;
    if (maxMatchLength === undefined) return false;
    let stream = this.streams.get(context);
    if (stream === undefined) {
      const { patterns, replacement } = this;
      this.streams.set(context, (stream = new RedactedStream({ patterns, replacement, maxMatchLength })));
    }
    return stream.release(piece);
  }

  /** The words of the user are shown when they are stored: a match may begin in one piece and end in another. */
  private safeTranscript(
    event: Event,
    field: 'inputTranscription' | 'outputTranscription',
  ): object | undefined {
    const transcript = event[field];
    if (transcript === undefined) return undefined;
    if (event.partial && field === 'inputTranscription') return { ...transcript, text: '' };
    return redactJson(transcript, this.redactor);
  }

  private safeContent(content: Content): Content {
    let safe = this.redacted.get(content);
    if (safe === undefined) {
      this.redacted.set(content, (safe = redactContent(content, this.redactor, 'request')));
    }
    return safe;
  }

  private safeInstruction(
    instruction: GenerateContentConfig['systemInstruction'],
  ): GenerateContentConfig['systemInstruction'] {
    if (typeof instruction === 'string') return this.redactor(instruction);
    return redactJson(instruction, this.redactor);
  }
}

function changed<Value>(before: Value, after: Value): Value | undefined {
  return before === after ? undefined : after;
}

function requireText(redacted: unknown): string {
  if (typeof redacted === 'string') return redacted;
  throw new PluginOptionInvalidError(
    'RedactionPlugin',
    `its redact returned ${kindOf(redacted)}. Return a text.`,
  );
}

function checkOptions(options: RedactionOptions): void {
  const owner = 'RedactionPlugin';
  checkPluginOptions(owner, options, OPTIONS);
  const { patterns = [], redact, maxMatchLength } = options;
  const fault = (words: string): never => {
    throw new PluginOptionInvalidError(owner, words);
  };
  if (patterns.length === 0 && redact === undefined)
    fault('it has nothing to redact. Pass patterns or redact.');
  if (maxMatchLength !== undefined && redact !== undefined) {
    fault('maxMatchLength is for patterns alone: what redact would change in a piece is not known.');
  }
}

/**
 * A content with redacted texts; the same object if nothing changed. Function calls and files stay as they are.
 *
 * @param place in a `message` of a user, function responses are answers to requests, and stay as they are
 */
function redactContent(content: Content, redact: Redactor, place: 'message' | 'event' | 'request'): Content {
  const { parts } = content;
  if (parts === undefined) return content;
  const safe = parts.map((part) => redactPart(part, redact, place === 'message'));
  return safe.every((part, index) => part === parts[index]) ? content : { ...content, parts: safe };
}

function redactPart(part: Part, redact: Redactor, keepsResponses: boolean): Part {
  const { text, functionResponse, codeExecutionResult, executableCode } = part;
  const changes: Part = {};
  if (text !== undefined) changes.text = redact(text);
  if (functionResponse?.response !== undefined && !keepsResponses) {
    changes.functionResponse = withField(
      functionResponse,
      'response',
      redactJson(functionResponse.response, redact),
    );
  }
  if (codeExecutionResult?.output !== undefined) {
    changes.codeExecutionResult = withField(
      codeExecutionResult,
      'output',
      redact(codeExecutionResult.output),
    );
  }
  if (executableCode?.code !== undefined) {
    changes.executableCode = withField(executableCode, 'code', redact(executableCode.code));
  }
  const isSame = Object.entries(changes).every(([name, value]) => part[name as keyof Part] === value);
  return isSame ? part : { ...part, ...changes };
}

function withField<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  value: Owner[Name],
): Owner {
  return owner[name] === value ? owner : { ...owner, [name]: value };
}
