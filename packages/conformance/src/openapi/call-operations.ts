import {
  type AuthConfig,
  ContainerModule,
  createRunner,
  defineAgent,
  Logger,
  type PendingRequest,
  type Runner,
} from '@adorn/core';
import type { Arguments } from '@adorn/core/backend';
import { openApiToolset, type RestApiTool } from '@adorn/openapi';
import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import { messageOf } from '../message-of.js';
import type { Check } from '../check.js';
import { PrismMock } from './prism-mock.js';
import { argumentNames } from './argument-names.js';
import { describedValues, type DescribedValues } from './described-arguments.js';
import { type DescribedOperation, describedOperations } from './described-operations.js';
import { RecordingProxy } from './recording-proxy.js';
import { requestDifferences } from './request-differences.js';
import { QuietLogger } from '../quiet-logger.js';

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

/**
 * Calls every operation of a document through the dispatcher, with values that the document allows. Each request has to arrive
 * with all of them, and has to be accepted by a mock that validates it against the document.
 */
export async function callOperations(document: string): Promise<CalledDocument> {
  await using mock = await PrismMock.start(document);
  await using proxy = await RecordingProxy.start(mock.url);
  const toolset = openApiToolset(document, { baseUrl: proxy.url, confirm: false });
  const tools = await toolset.listTools();
  const calls: Check[] = [];
  const callable: CallableOperation[] = [];
  for (const operation of await describedOperations(document)) {
    const { method, path } = operation;
    const tool = tools.find((one) => one.operation.method === method && one.operation.path === path);
    const values = describedValues(operation);
    if (!tool || !values) {
      calls.push({ what: `${method} ${path}`, fault: 'it is no tool, or no values were found for it' });
      continue;
    }
    const args = argumentsOf(operation, values, tool);
    callable.push({ tool, args });
    calls.push({ what: tool.name, fault: await faultOfCall({ operation, values, tool, args }, proxy) });
  }
  await toolset.close();
  const secured = callable.find(({ tool }) => tool.traits.auth !== undefined);
  if (!secured) return { calls, gate: [] };
  const gate = { what: secured.tool.name, fault: await faultOfGate(document, mock.url, secured) };
  return { calls, gate: [gate] };
}

interface CallableOperation {
  readonly tool: RestApiTool;
  readonly args: Arguments;
}

interface CalledOperation extends CallableOperation {
  readonly operation: DescribedOperation;
  readonly values: DescribedValues;
}

/** The values under the names of the tool's arguments. */
function argumentsOf(
  { parameters }: DescribedOperation,
  values: DescribedValues,
  tool: RestApiTool,
): Arguments {
  const { properties } = tool.declaration().parametersJsonSchema as { readonly properties: object };
  const names = argumentNames(parameters, Object.keys(properties));
  const given = parameters.map((_each, index) => [names[index] ?? 'lost', values.parameters[index]] as const);
  const all = [...given, ['body', values.body] as const];
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

async function faultOfCall(
  { operation, values, tool, args }: CalledOperation,
  proxy: RecordingProxy,
): Promise<string | undefined> {
  try {
    await using runner = await runnerOf(tool, args, 1);
    const before = proxy.arrived.length;
    const response = await authorisedCall(runner);
    const shown = `${JSON.stringify(response).slice(0, 500)} for ${JSON.stringify(args).slice(0, 300)}`;
    const [request, ...more] = proxy.arrived.slice(before);
    if (!request || more.length > 0) return `${String(proxy.arrived.length - before)} requests: ${shown}`;
    const lost = await requestDifferences(operation, values, request);
    if (lost.length > 0) return `${lost.join('; ')}: ${shown}`;
    const isAccepted = typeof response?.['status'] === 'number' && !REFUSAL.test(shown);
    return isAccepted ? undefined : shown;
  } catch (error) {
    return messageOf(error);
  }
}

/** A credential in the wrong place is refused with 401; the next call then waits for another one. */
async function faultOfGate(
  document: string,
  baseUrl: string,
  { tool: { name }, args }: CallableOperation,
): Promise<string | undefined> {
  const auth: AuthConfig = { scheme: { type: 'apiKey', in: 'header', name: 'x-not-the-key' }, key: 'wrong' };
  const toolset = openApiToolset(document, { baseUrl, confirm: false, only: [name], auth });
  const [tool] = await toolset.listTools();
  if (!tool) return 'it could not be called';
  await using runner = await runnerOf(tool, args, 2);
  const response = await authorisedCall(runner);
  if (!JSON.stringify(response).includes('refused the credential'))
    return `it got ${JSON.stringify(response)}`;
  const { pending } = await runner.run({ ...ADDRESS, message: 'Again.' });
  return pending[0]?.kind === 'credential' ? undefined : 'the next call did not wait for a credential';
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

/** Runs a call, and supplies each credential that it waits for; the response that the model gets. */
async function authorisedCall(runner: Runner): Promise<Record<string, unknown> | undefined> {
  let events = await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));
  for (let supplied = 0; supplied < MOST_CREDENTIALS; supplied++) {
    const [request] = await runner.pending(ADDRESS);
    if (!request) break;
    events = await eventsOf(runner.supply(request, credentialFor(request)));
  }
  return events.flatMap(({ functionResponses }) => functionResponses)[0]?.response;
}

function credentialFor({ authConfig }: PendingRequest): unknown {
  const scheme = authConfig?.authScheme as { readonly scheme?: unknown } | undefined;
  return scheme?.scheme === 'basic' ? { username: 'ada', password: 'secret' } : 'secret';
}
