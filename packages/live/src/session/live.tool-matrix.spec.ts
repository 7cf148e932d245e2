import { agentTool, defineAgent, defineTool, Tool, type ToolContext, Toolset } from '@adorn/core';
import type {
  AgentToolSource,
  AiSdkToolSet,
  ClassReference,
  ClosedToolSource,
  LangChainTool,
  ToolFunction,
  ToolSource,
} from '@adorn/core/backend';
import { searchable } from '@adorn/tool-search';
import { TOOL_OPTION_NAMES } from '../../../core/src/tools/tool-options.js';
import { look } from './live.fixture.js';
import {
  describeMatrix,
  different,
  offers,
  type Program,
  reads,
  type Row,
  same,
  type World,
} from './live.matrix.fixture.js';

const CALLS = { calls: ['look'] } as const;

const logged =
  (text: string, isThere = true) =>
  ({ events }: World): boolean =>
    JSON.stringify(events).includes(text) === isThere;
const waits = ({ waiting }: World): boolean => waiting > 0;

/** True if a tool that counts its runs has run once. */
const ranOnce = ({ events }: World): boolean => new Set(JSON.stringify(events).match(/RUN \d+/g)).size === 1;

/** A call of one tool, and what is seen of it. */
const tool = (made: Tool, isSeen: Program['isSeen'], program: Partial<Program> = {}): Row =>
  same({ options: { tools: [made] }, ...CALLS, isSeen, ...program });
const looks = (traits: object, isSeen: Program['isSeen'], program: Partial<Program> = {}): Row =>
  tool(
    look(() => 'LOOKED', traits),
    isSeen,
    program,
  );

/** A tool that says how often it has run. */
function counting(traits: object): Tool {
  const runs = { count: 0 };
  return look(() => `RUN ${String(++runs.count)}`, traits);
}

/** A tool that ends when it is stopped. */
function hanging(traits: object): Tool {
  return look((_args, { signal }: ToolContext) => {
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(new Error('stopped'));
      });
    });
  }, traits);
}

function failingOnce(traits: object): Tool {
  const failed = new Set<string>();
  return look((_args, { invocationId, functionCallId }: ToolContext) => {
    const call = `${invocationId} ${functionCallId}`;
    if (failed.has(call)) return 'LOOKED';
    failed.add(call);
    throw new Error('broken');
  }, traits);
}

const KEYS = { type: 'object', properties: { key: { type: 'string', description: 'THE_KEY' } } };

const OPTION_ROWS: Readonly<Record<string, Row>> = {
  approvers: looks({ confirm: true, approvers: 'requester' }, waits),
  auth: looks({ auth: { scheme: { type: 'apiKey', in: 'header', name: 'X' }, key: 'shop' } }, waits),
  background: looks({ background: true }, logged('"status":"running"')),
  cache: tool(counting({ effect: 'read', cache: true }), ranOnce, { times: 2 }),
  checkTimeout: looks(
    { checkTimeout: 5, confirm: () => new Promise(() => undefined) },
    logged('LOOKED', false),
  ),
  concurrency: looks({ concurrency: 1 }, reads('LOOKED')),
  confidential: looks({ confidential: true }, logged('"adorn:confidential":["look"]')),
  confirm: looks({ confirm: true }, waits),
  description: looks({ description: 'SEES_FAR' }, offers('SEES_FAR')),
  effect: looks({ effect: 'destructive' }, waits),
  exposeErrors: tool(
    look(
      () => {
        throw new Error('broken');
      },
      { exposeErrors: true },
    ),
    reads('broken'),
  ),
  idempotent: looks({ idempotent: true }, reads('LOOKED')),
  longRunning: looks({ longRunning: true }, waits),
  maxResultBytes: tool(
    look(() => 'x'.repeat(2_000), { maxResultBytes: 1_000 }),
    ({ artifacts }) => artifacts.length > 1,
  ),
  name: looks({ name: 'peer_out' }, reads('LOOKED'), { calls: ['peer_out'] }),
  once: tool(counting({ effect: 'write', once: () => 'k' }), logged('doneBefore'), { times: 2 }),
  outside: looks({ outside: true }, reads('LOOKED')),
  parameters: looks({ parameters: KEYS }, offers('THE_KEY')),
  rateLimit: tool(counting({ rateLimit: { calls: 1, perMs: 600_000 } }), ranOnce, {
    times: 2,
  }),
  reconcile: different('`reconcile`', 'once.md'),
  remember: looks({ confirm: true, remember: false }, waits),
  retry: tool(failingOnce({ effect: 'read', retry: { attempts: 2, delayMs: 0 } }), reads('LOOKED'), {
    isTimed: true,
  }),
  run: looks({}, reads('LOOKED')),
  sensitive: looks({ untrusted: true, sensitive: true }, waits, { times: 2 }),
  sequential: looks({ sequential: true }, reads('LOOKED')),
  tell: different("`tell: 'last'`"),
  timeout: tool(hanging({ timeout: 5 }), logged('error')),
  unknownArguments: looks({ unknownArguments: 'drop' }, reads('LOOKED'), { calls: ['look', { other: 1 }] }),
  untrusted: looks({ untrusted: true, sensitive: true }, waits, { times: 2 }),
};

class Seer extends Tool {
  readonly name = 'look';
  readonly description = 'Looks.';

  declaration() {
    return { name: 'look', description: 'Looks.', parametersJsonSchema: { type: 'object' } };
  }

  run(): string {
    return 'LOOKED';
  }
}

class Seers extends Toolset {
  listTools(): readonly Tool[] {
    return [new Seer()];
  }
}

const Sub = defineAgent({ name: 'look', description: 'Looks.' });
const LANGCHAIN = { name: 'look', description: 'Looks.', schema: { type: 'object' }, invoke: () => 'LOOKED' };
const AI_SDK = { look: { description: 'Looks.', inputSchema: { type: 'object' }, execute: () => 'LOOKED' } };

/** The kinds of entries of `tools`: one that is missing here does not compile. */
interface Sources {
  readonly class: ClassReference;
  readonly agent: AgentToolSource;
  readonly closed: ClosedToolSource;
  readonly function: ToolFunction;
  readonly tool: Tool;
  readonly toolset: Toolset;
  readonly langChain: LangChainTool;
  readonly aiSdk: AiSdkToolSet;
}
const SOURCES: Readonly<Record<keyof Sources, true>> &
  (ToolSource extends Sources[keyof Sources] ? object : never) = {
  class: true,
  agent: true,
  closed: true,
  function: true,
  tool: true,
  toolset: true,
  langChain: true,
  aiSdk: true,
};

const from = (source: unknown, isSeen = reads('LOOKED'), program: Partial<Program> = CALLS): Row =>
  same({ options: { tools: [source] }, ...program, isSeen });

const SOURCE_ROWS: Readonly<Record<keyof Sources, Row>> = {
  class: from(Seer),
  agent: from(agentTool(Sub), offers('"look"'), {}),
  // Declared by a request that follows the search, or by the connection that follows the turn.
  closed: from(searchable(new Seer()), offers('"look"'), { calls: ['search_tools', { query: 'look' }] }),
  function: from(
    defineTool({ name: 'look', description: 'Looks.', parameters: { type: 'object' }, run: () => 'LOOKED' }),
  ),
  tool: from(new Seer()),
  toolset: from(new Seers()),
  langChain: from(LANGCHAIN),
  aiSdk: from(AI_SDK),
};

describe('every option and every source of tools', () => {
  describeMatrix([
    ['options of tools', [...TOOL_OPTION_NAMES], OPTION_ROWS],
    ['sources of tools', Object.keys(SOURCES), SOURCE_ROWS],
  ]);
});
