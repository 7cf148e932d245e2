import {
  type CallbackContext,
  type Content,
  type Event,
  joinText,
  type Logger,
  Plugin,
  type ReadonlyContext,
} from '@adorn/core';
import {
  checkPluginOptions,
  describeThrown,
  functionCallsOf,
  functionResponsesOf,
  GuardedLogger,
  isSecretName,
  type LogFacts,
  OBJECT,
  oneOf,
  type OptionRules,
  type PluginHost,
  present,
  type RunEnd,
} from '@adorn/core/backend';

/** How much of a run a `LoggingPlugin` writes; each level includes the previous one. */
export type LogDetail = 'names' | 'arguments' | 'texts';

/** The options of a `LoggingPlugin`. */
export interface LoggingOptions {
  /**
   * `names`: ids, agents, tools, state keys, token counts and error codes. `arguments`: also the arguments and results
   * of calls. `texts`: also what users and models say, and error messages. Default: `names`.
   */
  readonly detail?: LogDetail;
  /** Default: `info`. */
  readonly level?: 'debug' | 'info';
  /** Default: the logger of the runner. */
  readonly logger?: Logger;
}

const DETAILS = ['names', 'arguments', 'texts'] as const satisfies readonly LogDetail[];

const OPTIONS: OptionRules<LoggingOptions> = {
  detail: oneOf(...DETAILS),
  level: oneOf('debug', 'info'),
  logger: OBJECT,
};

/** The longest text and the longest JSON in a line, in characters. */
const LONGEST = 1_000;

/**
 * Writes each message, event and end of a run to the log: one line each, with structured facts. Pieces of streamed
 * answers are left out. Values under a name such as `password` or `apiKey` are never written. It logs events as the
 * plugins before it have left them: register a `RedactionPlugin` first.
 */
export class LoggingPlugin extends Plugin {
  readonly name: string = 'logging';
  private readonly detail: number;
  private readonly level: 'debug' | 'info';
  private readonly logger: Logger | undefined;
  private readonly starts = new Map<string, number>();

  /** @throws {PluginOptionInvalidError} */
  constructor(options: LoggingOptions = {}) {
    super();
    checkPluginOptions('LoggingPlugin', options, OPTIONS);
    const { detail = 'names', level = 'info' } = options;
    this.detail = DETAILS.indexOf(detail);
    this.level = level;
    this.logger = options.logger && new GuardedLogger(options.logger);
  }

  override onRegister({ appName, root, logger }: PluginHost): void {
    this.write(logger, 'runner created', { appName, root: root.name });
  }

  override onUserMessage(message: Content, context: CallbackContext): undefined {
    const { invocationId, userId, sessionId } = context;
    this.starts.set(invocationId, performance.now());
    this.write(context.logger, 'message', {
      invocationId,
      userId,
      sessionId,
      parts: message.parts?.length ?? 0,
      ...this.contentFacts(message),
    });
  }

  override onEvent(event: Event, { invocationId, logger }: ReadonlyContext): undefined {
    if (event.partial) return;
    const { actions, usageMetadata } = event;
    const stateKeys = Object.keys(actions.stateDelta);
    const { errorCode, errorMessage, finishReason } = event;
    const facts = {
      invocationId,
      eventId: event.id,
      author: event.author,
      ...this.contentFacts(event.content),
      stateKeys: stateKeys.length > 0 ? stateKeys : undefined,
      transferToAgent: actions.transferToAgent,
      finishReason,
      tokens: usageMetadata?.totalTokenCount,
      errorCode,
      errorMessage: this.detail === 2 && errorMessage !== undefined ? cut(errorMessage) : undefined,
      isFinalResponse: event.isFinalResponse || undefined,
    };
    this.write(logger, 'event', present(facts));
  }

  override afterRun(end: RunEnd, { invocationId, logger }: ReadonlyContext): void {
    const start = this.starts.get(invocationId);
    this.starts.delete(invocationId);
    const facts = {
      invocationId,
      milliseconds: start === undefined ? undefined : Math.round(performance.now() - start),
      errorCode: end.last?.errorCode,
      ...('error' in end ? this.errorFacts(end.error) : undefined),
    };
    this.write(logger, 'run ended', present(facts));
  }

  private contentFacts(content: Content | undefined): LogFacts {
    const calls = functionCallsOf(content);
    const responses = functionResponsesOf(content);
    const text = this.detail === 2 ? joinText(content) : '';
    const showsValues = this.detail >= 1;
    const calledWith = calls.map(({ id, name, args }) =>
      present({ id, name, args: showsValues ? shownJson(args) : undefined }),
    );
    const answeredBy = responses.map(({ id, name, response }) =>
      present({
        id,
        name,
        isError: response?.['error'] !== undefined,
        response: showsValues ? shownJson(response) : undefined,
      }),
    );
    return present({
      text: text === '' ? undefined : cut(text),
      calls: calls.length > 0 ? calledWith : undefined,
      responses: responses.length > 0 ? answeredBy : undefined,
    });
  }

  private errorFacts(error: unknown): LogFacts {
    const { name, code, message } = describeThrown(error);
    return present({ error: name, code, message: this.detail === 2 ? cut(message) : undefined });
  }

  private write(logger: Logger, message: string, facts: LogFacts): void {
    (this.logger ?? logger)[this.level](message, facts);
  }
}

function shownJson(value: unknown): string {
  const text = JSON.stringify(value ?? {}, (name, field: unknown) =>
    isSecretName(name) && field !== null ? '[hidden]' : field,
  );
  return cut(text);
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${String(text.length)} characters)`;
}
