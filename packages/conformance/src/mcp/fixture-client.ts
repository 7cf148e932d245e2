import { mcpOAuth, type McpOAuthOptions, mcpToolset } from '@adorn/mcp';
import {
  createRunner,
  defineAgent,
  type JsonSchema,
  Model,
  type ModelRequest,
  type ModelResponse,
  type PendingRequest,
  type Runner,
  type RunResult,
} from 'adorn';

/** How often a user consents or answers before giving up. */
const MOST_ANSWERS = 3;
/** How often a message is sent anew after the toolset has failed. */
const MOST_RUNS = 3;
const REDIRECT = 'http://localhost:3000/callback';

/** Makes the calls that the scenario names, or else calls every tool once, and then answers. */
class CallingModel extends Model {
  readonly name = 'calling';

  override async *generate({
    contents,
    config,
  }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    await Promise.resolve();
    const hasCalled = contents.at(-1)?.parts?.some(({ functionResponse }) => functionResponse !== undefined);
    const tools = (config.tools ?? []) as {
      functionDeclarations?: { name: string; parametersJsonSchema?: JsonSchema }[];
    }[];
    const calls = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
    const schemas = calls.map(({ parametersJsonSchema = {} }) => parametersJsonSchema);
    const parts =
      hasCalled === true || calls.length === 0
        ? [{ text: 'Done.' }]
        : (namedCalls() ?? calls.map((call) => sampleCall(call, schemas))).map((functionCall) => ({
            functionCall,
          }));
    yield { content: { role: 'model', parts } };
  }
}

interface SampleCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

/** The calls that the context of a scenario names. */
function namedCalls(): SampleCall[] | undefined {
  const { toolCalls } = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as {
    readonly toolCalls?: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[];
  };
  return toolCalls?.map(({ name, arguments: args }) => ({ name, args }));
}

/** A call of a tool. One that takes a schema gets that of another tool, as it was listed. */
function sampleCall(
  { name, parametersJsonSchema = {} }: { readonly name: string; readonly parametersJsonSchema?: JsonSchema },
  schemas: readonly JsonSchema[],
): SampleCall {
  const { schema } = (parametersJsonSchema['properties'] ?? {}) as { readonly schema?: JsonSchema };
  const other = schemas.find((one) => one !== parametersJsonSchema);
  if (schema?.['type'] === 'object' && other) return { name, args: { schema: other } };
  return { name, args: sample(parametersJsonSchema) };
}

/** Numbers for the numbers of a schema. */
function sample({ properties = {} }: JsonSchema = {}): Record<string, unknown> {
  const entries = Object.entries(properties as Record<string, JsonSchema>);
  return Object.fromEntries(
    entries.map(([name, { type }], index) => [name, type === 'number' ? index + 2 : 'text']),
  );
}

/** The options of OAuth for a scenario: what its context says, and any issuer, since scenarios do not say which. */
function oauthOptions(url: string): McpOAuthOptions {
  const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Record<string, string>;
  const {
    client_id: clientId,
    client_secret: clientSecret,
    private_key_pem: pem,
    signing_algorithm: algorithm,
  } = context;
  const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
  const isMachine = scenario.startsWith('auth/client-credentials');
  return {
    url,
    issuer: '*',
    redirectUri: REDIRECT,
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(pem !== undefined && { privateKey: { pem, algorithm: algorithm ?? 'ES256' } }),
    ...(isMachine && { grant: 'clientCredentials' as const }),
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
  };
}

/** The issuer that a server names: what a developer reads in its documentation. */
async function namedIssuer(url: string): Promise<string> {
  const { origin, pathname } = new URL(url);
  const response = await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`);
  const { authorization_servers: [issuer] = [] } = (await response.json()) as {
    authorization_servers?: string[];
  };
  return issuer ?? origin;
}

async function main(url: string): Promise<void> {
  const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
  const needsAuth = scenario.startsWith('auth/');
  const options = needsAuth ? oauthOptions(url) : undefined;
  const isMachine = options?.grant === 'clientCredentials';
  const oauth = options && mcpOAuth(isMachine ? { ...options, issuer: await namedIssuer(url) } : options);
  const toolset = mcpToolset({
    url,
    confirm: false,
    elicitation: () => ({}),
    ...(oauth !== undefined && { auth: oauth.auth }),
  });
  const Client = defineAgent({
    name: 'client',
    description: '',
    model: new CallingModel(),
    tools: [toolset],
  });
  await using runner = await createRunner(Client, { modules: oauth ? [oauth.module] : [] });
  const address = { userId: 'ada', sessionId: 's1' };
  for (let attempt = 0; attempt < MOST_RUNS; attempt++) {
    const result = await settle(runner, await runner.run({ ...address, message: 'Go.' }));
    if (result.events.some(({ functionResponses }) => functionResponses.length > 0)) return;
  }
}

/** Answers what a run waits for, as a user who agrees to everything. */
async function settle(runner: Runner, first: RunResult): Promise<RunResult> {
  let result = first;
  for (let round = 0; round < MOST_ANSWERS; round++) {
    const [request] = result.pending;
    if (!request) return result;
    result = await runner.supply(request, await answerTo(request));
  }
  return result;
}

async function answerTo({ authConfig }: PendingRequest): Promise<unknown> {
  const page = authConfig?.exchangedAuthCredential?.oauth2.authUri ?? '';
  const { headers } = await fetch(page, { redirect: 'manual' });
  return headers.get('location') ?? '';
}

await main(process.argv[2] ?? '');
