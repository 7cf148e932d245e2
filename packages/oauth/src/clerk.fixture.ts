import { eventsOf, ScriptedModel, type ScriptedStep } from '@adorn/testing';
import {
  type AuthConfig,
  Clock,
  ContainerModule,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  Logger,
  type PendingRequest,
  type Runner,
  type ToolContext,
} from '@adorn/core';
import type { FunctionToolFields, LogFacts } from '@adorn/core/backend';

import { oauth } from './index.js';
import { CLIENT_SECRET, REDIRECT_URI, type RunningProvider } from './oidc-provider.fixture.js';

export const ADDRESS = { userId: 'ada', sessionId: 's1' };

/** A runner whose agent has one tool with the given auth, and what its tool, log and model saw. */
export interface Clerk {
  readonly runner: Runner;
  readonly model: ScriptedModel;
  /** The credentials that the tool ran with. */
  readonly ran: unknown[];
  readonly log: ListLogger;
  readonly clock: ManualClock;
}

/** What a clerk is made with. */
export interface ClerkParts {
  readonly auth: AuthConfig;
  readonly steps: readonly ScriptedStep[];
  /** Default: in memory. */
  readonly storage?: readonly ContainerModule[];
  readonly clock?: ManualClock;
  readonly tool?: Partial<FunctionToolFields>;
}

/** @param steps what the model says; the tool is called `look` */
export async function startClerk({
  auth,
  steps,
  storage = [],
  clock = new ManualClock(),
  tool = {},
}: ClerkParts): Promise<Clerk> {
  const ran: unknown[] = [];
  const log = new ListLogger();
  const look = new FunctionTool({
    name: 'look',
    description: '',
    auth,
    run: (_args: unknown, { credential }: ToolContext) => {
      ran.push({ ...credential });
      return { seen: true };
    },
    ...tool,
  });
  const model = new ScriptedModel(...steps);
  const own = new ContainerModule(({ bind }) => {
    bind(Clock).toConstantValue(clock);
    bind(Logger).toConstantValue(log);
  });
  const modules = [...storage, own, oauth()];
  const runner = await createRunner(defineAgent({ name: 'clerk', tools: [look] }), { model, modules });
  return { runner, model, ran, log, clock };
}

/** The flow in a browser, as the client `web`. */
export function codeAuth({ issuer }: RunningProvider): AuthConfig {
  return {
    scheme: {
      type: 'oauth2',
      flows: {
        authorizationCode: {
          authorizationUrl: `${issuer}/auth`,
          tokenUrl: `${issuer}/token`,
          scopes: { openid: 'Who you are.', read: 'Read.' },
        },
      },
    },
    credential: {
      type: 'oauthClient',
      clientId: 'web',
      clientSecret: CLIENT_SECRET,
      redirectUri: REDIRECT_URI,
    },
  };
}

/** Has the agent call its tool. */
export function ask({ runner }: Clerk): Promise<Event[]> {
  return eventsOf(runner.run({ ...ADDRESS, message: 'Look it up.' }));
}

/** The one request that waits. */
export async function onlyRequest(runner: Runner): Promise<PendingRequest> {
  const [request, ...others] = await runner.pending(ADDRESS);
  if (request === undefined || others.length > 0)
    throw new Error(`${String(others.length + 1)} requests wait`);
  return request;
}

/** What the user is shown of a consent. */
export function consentOf({ authConfig }: PendingRequest): {
  readonly authUri: string;
  readonly state: string;
} {
  const { authUri, state } = authConfig?.exchangedAuthCredential?.oauth2 ?? {};
  if (authUri === undefined || state === undefined) throw new Error('No consent is asked for.');
  return { authUri, state };
}

/** A clock that a test puts forward. */
export class ManualClock extends Clock {
  private time = Date.now() / 1000;

  now(): number {
    return this.time;
  }

  advance(seconds: number): void {
    this.time += seconds;
  }
}

/** Keeps every line. */
export class ListLogger extends Logger {
  readonly lines: [string, LogFacts | undefined][] = [];

  debug(message: string, facts?: LogFacts): void {
    this.lines.push([message, facts]);
  }

  info(message: string, facts?: LogFacts): void {
    this.lines.push([message, facts]);
  }

  warn(message: string, facts?: LogFacts): void {
    this.lines.push([message, facts]);
  }

  error(message: string, facts?: LogFacts): void {
    this.lines.push([message, facts]);
  }
}
