import { ContainerModule, createRunner, type Event, FunctionTool, type LlmAgent, Logger } from '@adorn/core';
import { callsTool, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

export const KEY = { userId: 'ada', sessionId: 'call-7' };

/** A tool that writes a key of the state. */
export const WRITE = new FunctionTool({
  name: 'write',
  description: 'Writes a key of the state.',
  parameters: { type: 'object', properties: { key: { type: 'string' }, value: {} } },
  run: ({ key = '', value }: { key?: string; value?: unknown }, { state }) => {
    state.set(key, value);
    return 'written';
  },
});

/** A turn in which the model writes a key of the state by the tool `write`. */
export function writes(key: string, value: unknown): ScriptedStep[] {
  return [callsTool('write', { key, value }), says('Written.')];
}

/** A turn in which the model answers. */
export const ANSWERS: ScriptedStep[] = [says('Hm.')];

/** What came of a text conversation. */
interface Talk {
  /** The system instruction of each request. */
  readonly instructions: string[];
  readonly state: Readonly<Record<string, unknown>>;
  readonly logger: Lines;
  readonly events: readonly Event[];
}

/** A conversation by text, in which the user says the number of each turn. */
export async function talk(
  Agent: new () => LlmAgent,
  turns: readonly (readonly ScriptedStep[])[],
  state: Readonly<Record<string, unknown>> = {},
): Promise<Talk> {
  const model = new ScriptedModel(...turns.flat());
  const logger = new Lines();
  const modules = [new ContainerModule(({ bind }) => void bind(Logger).toConstantValue(logger))];
  await using runner = await createRunner(Agent, { model, modules });
  const key = { appName: runner.appName, ...KEY };
  await runner.sessions.createSession(key, { ...state });
  for (let turn = 1; turn <= turns.length; turn++) await runner.ask(String(turn), KEY);
  const session = await runner.sessions.getSession(key);
  return {
    instructions: model.requests.map(({ config }) => config.systemInstruction as string),
    state: session?.state ?? {},
    logger,
    events: session?.events ?? [],
  };
}

type Facts = Readonly<Record<string, unknown>>;

/** What was logged as a warning or an error, and the message of its error. */
export class Lines extends Logger {
  readonly lines: unknown[] = [];

  debug = (): void => undefined;
  info = (): void => undefined;
  warn = (message: string, facts?: Facts): void => {
    this.note('warn', message, facts);
  };
  error = (message: string, facts?: Facts): void => {
    this.note('error', message, facts);
  };

  private note(level: string, message: string, { error, ...facts }: Facts = {}): void {
    this.lines.push([level, message, { ...facts, error: (error as Error | undefined)?.message }]);
  }
}
