import { ScriptedLive, ScriptedModel, type LiveStep, type ScriptedStep } from '@adorn/testing';

import {
  Clock,
  ContainerModule,
  createRunner as createCoreRunner,
  type CreateRunnerOptions,
  type AgentClass,
  defineAgent,
  type Event,
  FunctionTool,
  type Runner,
  type ToolContext,
} from '@adorn/core';
import type { DefinedAgentOptions, LiveRunInput, LiveSession } from '@adorn/core/backend';
import { liveSessions } from '../live-sessions.module.js';

/** A runner of core that opens live sessions. */
export function createRunner<Output>(
  root: AgentClass<Output>,
  options: CreateRunnerOptions = {},
): Promise<Runner<Output>> {
  return createCoreRunner(root, { ...options, modules: [...(options.modules ?? []), liveSessions] });
}

export const KEY = { userId: 'ada', sessionId: 'call-7' };

/** A live session of one agent, played by a script. */
export async function startLive(
  options: Partial<DefinedAgentOptions>,
  script: readonly LiveStep[],
  input: LiveRunInput = {},
  texts: readonly ScriptedStep[] = [],
  clock?: Clock,
): Promise<{ runner: Runner; model: ScriptedLive; live: LiveSession }> {
  const model = new ScriptedLive(...script);
  const Clerk = defineAgent({ name: 'clerk', instruction: 'Be kind.', ...options });
  const modules =
    clock === undefined ? [] : [new ContainerModule(({ bind }) => void bind(Clock).toConstantValue(clock))];
  const runner = await createRunner(Clerk, { model: new ScriptedModel(...texts), modules });
  const live = runner.live({ ...KEY, model, ...input });
  return { runner, model, live };
}

/** Reads events until one is met, which is the last of the list. Fails after five seconds. */
export async function until(live: LiveSession, isMet: (event: Event) => boolean): Promise<Event[]> {
  const events: Event[] = [];
  const late = setTimeout(() => {
    live.cancel();
  }, 5_000);
  try {
    for await (const event of live) {
      events.push(event);
      if (isMet(event)) return events;
    }
    throw new Error(`The session ended before: ${JSON.stringify(events.map(shownOf))}`);
  } finally {
    clearTimeout(late);
  }
}

export function isTurnEnd({ author, turnComplete }: Event): boolean {
  return author !== 'user' && turnComplete;
}

/** The stored events of the session, short. */
export async function storedOf(runner: Pick<Runner, 'appName' | 'sessions'>): Promise<string[]> {
  const session = await runner.sessions.getSession({ appName: runner.appName, ...KEY });
  return (session?.events ?? []).map(shownOf);
}

/** An event as a short text: `ada: Hello`, `clerk → add {"a":1} (c1)`, `clerk ← c1 {"result":2}`. */
export function shownOf(event: Event): string {
  const parts = [
    event.text === '' ? undefined : `: ${event.text}`,
    ...event.functionCalls.map(
      ({ name, args, id }) => ` → ${name ?? ''} ${JSON.stringify(args ?? {})} (${id ?? ''})`,
    ),
    ...event.functionResponses.map(({ id, response }) => ` ← ${id ?? ''} ${JSON.stringify(response)}`),
    event.errorCode === undefined ? undefined : ` ! ${event.errorCode}`,
    event.interrupted === true ? ' (interrupted)' : undefined,
  ];
  return event.author + parts.filter((part) => part !== undefined).join('');
}

export { settled } from '../line/live-line.fixture.js';

/** A tool without parameters that the model may call. */
export function look(
  run: (args: unknown, context: ToolContext) => unknown = () => 1,
  traits: object = {},
): FunctionTool {
  return new FunctionTool({
    name: 'look',
    description: 'Looks.',
    parameters: { type: 'object' },
    run,
    ...traits,
  });
}

/** A promise that a test settles. */
export function gate<Value = void>(): { promise: Promise<Value>; open: (value: Value) => void } {
  let open: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((resolve) => (open = resolve));
  return { promise, open };
}
