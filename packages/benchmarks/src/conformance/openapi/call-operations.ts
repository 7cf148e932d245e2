import {
  type Arguments,
  type AuthConfig,
  ConsoleLogger,
  ContainerModule,
  createRunner,
  defineAgent,
  Logger,
  type PendingRequest,
  type Runner,
} from '@adorn/core';
import { openApiToolset, type RestApiTool } from '@adorn/openapi';
import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import { messageOf } from '../../message-of.js';
import type { Check } from '../check.js';
import { PrismMock } from './prism-mock.js';
import { sampleArguments } from './sample-arguments.js';

/** How Prism says that a request does not fit the document. That it has no response to give is not said of the request. */
const REFUSAL = /https:\/\/stoplight\.io\/prism\/errors#(?!NO_RESPONSE|NO_COMPLEX_OBJECT|SCHEMA_TOO_COMPLEX)/;

/** The most credentials that one call is asked for. */
const MOST_CREDENTIALS = 5;

/** What came of the calls of one document. */
export interface CalledDocument {
  readonly calls: readonly Check[];
  /** Whether a credential that the API refuses is asked for anew; empty where the document needs none. */
  readonly gate: readonly Check[];
}

/** Calls every operation of a document through the dispatcher, against a mock that validates requests. */
export async function callOperations(document: string): Promise<CalledDocument> {
  await using mock = await PrismMock.start(document);
  const toolset = openApiToolset(document, { baseUrl: mock.url, confirm: false });
  const tools = await toolset.listTools();
  const calls: Check[] = [];
  for (const tool of tools) calls.push({ what: tool.name, fault: await faultOfCall(tool) });
  await toolset.close();
  const secured = tools.find(({ traits }) => traits.auth !== undefined);
  if (secured === undefined) return { calls, gate: [] };
  return { calls, gate: [{ what: secured.name, fault: await faultOfGate(document, mock.url, secured) }] };
}

async function faultOfCall(tool: RestApiTool): Promise<string | undefined> {
  const args = await argumentsOf(tool);
  if (args === undefined) return 'no arguments were found that fit its declaration';
  try {
    await using runner = await runnerOf(tool, args, 1);
    const response = await authorisedCall(runner);
    const shown = JSON.stringify(response);
    const isAccepted = typeof response?.['status'] === 'number' && !REFUSAL.test(shown);
    return isAccepted ? undefined : `${shown.slice(0, 500)} for ${JSON.stringify(args).slice(0, 300)}`;
  } catch (error) {
    return messageOf(error);
  }
}

/** A credential in the wrong place is refused with 401; the next call then waits for another one. */
async function faultOfGate(
  document: string,
  baseUrl: string,
  { name }: RestApiTool,
): Promise<string | undefined> {
  const auth: AuthConfig = { scheme: { type: 'apiKey', in: 'header', name: 'x-not-the-key' }, key: 'wrong' };
  const toolset = openApiToolset(document, { baseUrl, confirm: false, only: [name], auth });
  const [tool] = await toolset.listTools();
  const args = tool && (await argumentsOf(tool));
  if (tool === undefined || args === undefined) return 'it could not be called';
  await using runner = await runnerOf(tool, args, 2);
  const response = await authorisedCall(runner);
  if (!JSON.stringify(response).includes('refused the credential'))
    return `it got ${JSON.stringify(response)}`;
  const { pending } = await runner.run({ ...ADDRESS, message: 'Again.' });
  return pending[0]?.kind === 'credential' ? undefined : 'the next call did not wait for a credential';
}

function argumentsOf(tool: RestApiTool): Promise<Arguments | undefined> {
  const { parametersJsonSchema } = tool.declaration();
  return sampleArguments(parametersJsonSchema as Readonly<Record<string, unknown>>);
}

const ADDRESS = { userId: 'ada', sessionId: 's1' };

function runnerOf(tool: RestApiTool, args: Arguments, runs: number): Promise<Runner> {
  const turns = Array.from({ length: runs }).flatMap((_each, index) => [
    callsTool(tool.name, args, `c${String(index)}`),
    says('Done.'),
  ]);
  const clerk = defineAgent({ name: 'clerk', tools: [tool] });
  const quiet = new ContainerModule(({ bind }) => {
    bind(Logger).toConstantValue(new QuietLogger());
  });
  return createRunner(clerk, { model: new ScriptedModel(...turns), modules: [quiet] });
}

/** What fails is told by the checks. */
class QuietLogger extends ConsoleLogger {
  override warn(): void {
    // Told by a check.
  }
}

/** Runs a call, and supplies each credential that it waits for; the response that the model gets. */
async function authorisedCall(runner: Runner): Promise<Record<string, unknown> | undefined> {
  let events = await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));
  for (let supplied = 0; supplied < MOST_CREDENTIALS; supplied++) {
    const [request] = await runner.pending(ADDRESS);
    if (request === undefined) break;
    events = await eventsOf(runner.supply(request, credentialFor(request)));
  }
  return events.flatMap(({ functionResponses }) => functionResponses)[0]?.response;
}

function credentialFor({ authConfig }: PendingRequest): unknown {
  const scheme = authConfig?.authScheme as { readonly scheme?: unknown } | undefined;
  return scheme?.scheme === 'basic' ? { username: 'ada', password: 'secret' } : 'secret';
}
