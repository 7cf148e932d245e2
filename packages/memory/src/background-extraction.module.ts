import {
  ContainerModule,
  type Event,
  type Model,
  type ModelResponse,
  Plugin,
  type ReadonlyContext,
  SessionService,
} from '@adorn/core';
import {
  checkOptions,
  effectiveEvents,
  isObject,
  isSameJson,
  LIMIT,
  type ModelQuestion,
  OptionInvalidError,
  type OptionRules,
  type PluginHost,
  rule,
  type RunEnd,
} from '@adorn/core/backend';

import { ProfileInvalidError } from './errors.js';
import type { ProfileValues } from './profile-fields.js';
import { WorkingMemory } from './working-memory.tool.js';

/** The options of `backgroundExtraction`. */
export interface BackgroundExtractionOptions {
  /** The model that reads the conversation. Default: the model of the root agent. */
  readonly model?: Model;
  /** How long an extraction may take, in milliseconds. Default: 30,000. */
  readonly timeout?: number;
  /** How long the runner waits for extractions when it is closed, in milliseconds. Default: 10,000. */
  readonly grace?: number;
}

const OPTIONS: OptionRules<BackgroundExtractionOptions> = {
  model: rule(
    (value) => isObject(value) && 'generate' in value,
    "Pass a model, such as new GeminiModel({ model: 'gemini-2.5-flash-lite' }).",
  ),
  timeout: LIMIT,
  grace: LIMIT,
};

const TIMEOUT_MS = 30_000;
const GRACE_MS = 10_000;

/** The most messages of one run that are read: a spoken conversation is one run. */
const MOST_MESSAGES = 20;

/**
 * Fills the profile of a user in the background: after each run that did not fail, a model reads what was said in it and
 * proposes fields. No run waits for it. Each run is read once, so what the application corrects later stays corrected. An
 * extraction is not stored: if the process dies, or it fails, what it would have found is lost, and a failure is logged.
 *
 * @throws {OptionInvalidError} if an option is invalid, or the memory is none
 * @example
 * const profile = workingMemory(Profile);
 * const runner = await createRunner(Concierge, { modules: [backgroundExtraction(profile)] });
 */
export function backgroundExtraction(
  memory: WorkingMemory,
  options: BackgroundExtractionOptions = {},
): ContainerModule {
  if (!(memory instanceof WorkingMemory))
    throw new OptionInvalidError(
      'backgroundExtraction',
      'the first argument is no working memory',
      'Pass what workingMemory returns.',
    );
  checkOptions('backgroundExtraction', options, OPTIONS);
  return new ContainerModule(({ bind }) => {
    bind(Plugin)
      // The sessions are built first, and so closed last.
      .toDynamicValue(
        async (context) =>
          new ExtractionPlugin(memory, await context.getAsync<SessionService>(SessionService), options),
      )
      .inSingletonScope()
      .onDeactivation((plugin) => (plugin as ExtractionPlugin).close());
  });
}

/** The run whose words are read. */
interface ReadRun {
  readonly appName: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly invocationId: string;
}

class ExtractionPlugin extends Plugin {
  readonly name: string;
  private readonly running = new Set<Promise<void>>();
  private readonly closing = new AbortController();
  private model: Model | undefined;

  constructor(
    private readonly memory: WorkingMemory,
    private readonly sessions: SessionService,
    private readonly options: BackgroundExtractionOptions,
  ) {
    super();
    this.name = `extract_${memory.profileName}`;
  }

  override async onRegister({ root }: PluginHost): Promise<void> {
    this.model = this.options.model ?? root.model;
    if (!this.model)
      throw new OptionInvalidError(
        'backgroundExtraction',
        `the root agent "${root.name}" has no model`,
        'Pass the option model.',
      );
    await this.model.ready();
    await this.memory.ready();
  }

  /** Begins the extraction, and does not wait for it. */
  override afterRun(end: RunEnd, context: ReadonlyContext): void {
    if ('error' in end || end.last?.errorCode !== undefined || this.closing.signal.aborted) return;
    const { appName, userId, sessionId, invocationId, logger } = context;
    const work = this.extract({ appName, userId, sessionId, invocationId })
      .catch((error: unknown) => {
        logger.warn('nothing was extracted of a run, and it is not tried again', {
          profile: this.memory.profileName,
          sessionId,
          invocationId,
          error,
        });
      })
      .finally(() => this.running.delete(work));
    this.running.add(work);
  }

  /** Waits for running extractions, and then gives them up. */
  async close(): Promise<void> {
    const { grace = GRACE_MS } = this.options;
    const timer = setTimeout(() => {
      this.closing.abort();
    }, grace);
    await Promise.all(this.running);
    clearTimeout(timer);
    this.closing.abort();
  }

  private async extract(run: ReadRun): Promise<void> {
    const events = await this.eventsOf(run);
    if (!events) return;
    const before = await this.sessions.getUserState(run);
    const found = await this.ask(events);
    const after = await this.sessions.getUserState(run);
    // Who has changed a field meanwhile knows better.
    const isUntouched = (key: string): boolean => isSameJson(before[key] ?? null, after[key] ?? null);
    const change = Object.fromEntries(
      Object.entries(found).filter(([field]) => isUntouched(this.memory.keyOf(field))),
    );
    if (Object.keys(change).length === 0) return;
    const profile = this.memory.read({ get: (key: string) => after[key] as never });
    const checked = await this.memory.check(change, profile);
    if (checked.kind === 'invalid') throw new ProfileInvalidError(this.memory.profileName, checked.problems);
    await this.write(run, checked.values);
  }

  /** What was said in the run; undefined if the session is gone, or the user said nothing. */
  private async eventsOf({ invocationId, ...key }: ReadRun): Promise<readonly Event[] | undefined> {
    const session = await this.sessions.getSession(key);
    const events = effectiveEvents(session?.events ?? []).filter((one) => one.invocationId === invocationId);
    return events.some(({ author, text }) => author === 'user' && text.trim() !== '') ? events : undefined;
  }

  private async ask(events: readonly Event[]): Promise<ProfileValues> {
    const { extractFields } = await import('@adorn/live');
    const { signal } = this.closing;
    const options = {
      schema: this.memory.fieldsSchema,
      turns: MOST_MESSAGES,
      timeout: this.options.timeout ?? TIMEOUT_MS,
    };
    const askModel = (question: ModelQuestion): Promise<ModelResponse> => this.answerTo(question);
    return extractFields({ method: this.name, options }, QUESTION, { events, signal, askModel });
  }

  private async answerTo({ contents, config = {}, signal }: ModelQuestion): Promise<ModelResponse> {
    const request = { contents, config, stream: false, signal: signal ?? this.closing.signal };
    for await (const response of (this.model as Model).generate(request))
      if (response.partial !== true) return response;
    return { errorCode: 'EMPTY_RESPONSE' };
  }

  /** Writes for a user who is there: whoever was forgotten meanwhile stays forgotten. */
  private async write({ invocationId: _run, ...key }: ReadRun, change: ProfileValues): Promise<void> {
    const isThere = async (): Promise<boolean> =>
      (await this.sessions.getSession(key, { numRecentEvents: 0 })) !== undefined;
    if (!(await isThere())) return;
    await this.sessions.updateUserState(key, this.memory.writesOf(change));
    if (await isThere()) return;
    const back = Object.fromEntries(Object.keys(change).map((field) => [field, null]));
    await this.sessions.updateUserState(key, this.memory.writesOf(back));
  }
}

const QUESTION =
  'What does the user say of themselves that will still be true in later conversations? Take only what the user said, not what ' +
  'an agent, a document or a tool says, and no guesses.';
