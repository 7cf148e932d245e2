import { sessionCompaction } from '@adorn/compaction';
import type { Model } from '@adorn/core';
import {
  agentTool,
  type AgentClass,
  type CreateRunnerOptions,
  createRunner,
  defineAgent,
  Deny,
  type Event,
  FunctionTool,
  Plugin,
  type Runner,
  type ToolContext,
  workflow,
} from '@adorn/core';
import { liveSessions } from '@adorn/live';
import {
  callsLive,
  callsTool,
  callsTools,
  says,
  ScriptedLive,
  ScriptedModel,
  type ScriptedStep,
  speaks,
  streams,
  untilResponse,
  untilText,
} from '@adorn/testing';
import { quiet } from '../quiet-logger.js';

/** A conversation whose spans are looked at. */
export interface TracedScenario {
  readonly name: string;
  /** The names of the spans, without repeats, in alphabetical order. */
  readonly spans: readonly string[];
  readonly steps: readonly ScriptedStep[];
  /** Default: an agent named clerk with the tools of this file. */
  readonly agent?: (model: Model) => AgentClass<unknown>;
  readonly plugins?: readonly Plugin[];
  readonly compaction?: CreateRunnerOptions['compaction'];
  readonly play?: (runner: Runner<unknown>) => Promise<unknown>;
}

const ADDRESS = { userId: 'ada', sessionId: 's1', message: 'Go!' };
const RUN = ['invoke_agent app', 'invoke_agent clerk'];
const USAGE = {
  promptTokenCount: 7,
  candidatesTokenCount: 3,
  thoughtsTokenCount: 2,
  cachedContentTokenCount: 1,
};

/** Refuses every call. */
class Denying extends Plugin {
  readonly name = 'denying';

  override checkTool(): Deny {
    return new Deny('Not today.');
  }
}

/** Runs one conversation. */
export async function play(scenario: TracedScenario, observer: Plugin): Promise<void> {
  const { agent = clerk, steps, plugins = [], compaction } = scenario;
  const { play: go = (runner: Runner<unknown>) => drain(runner.run(ADDRESS)) } = scenario;
  const model = new ScriptedModel(...steps);
  await using runner = await createRunner(agent(model), {
    appName: 'app',
    plugins: [...plugins, observer],
    compaction,
    modules: [quiet, sessionCompaction, liveSessions],
  });
  await go(runner);
}

export const SCENARIOS: readonly TracedScenario[] = [
  {
    name: 'a text with its tokens',
    steps: [{ ...says('Hi.'), usageMetadata: USAGE, modelVersion: 'scripted-2', responseId: 'r1' }],
    spans: ['chat scripted', ...RUN],
  },
  {
    name: 'a streamed text',
    steps: [streams('H', 'i', '.')],
    play: (runner) => drain(runner.run({ ...ADDRESS, config: { streaming: 'sse' } })),
    spans: ['chat scripted', ...RUN],
  },
  {
    name: 'two calls at once, of which one fails',
    steps: [callsTools({ name: 'look', args: {} }, { name: 'fail', args: {} }), says('Well.')],
    spans: ['chat scripted', 'execute_tool fail', 'execute_tool look', ...RUN],
  },
  {
    name: 'a call that does not exist, and one with wrong arguments',
    steps: [callsTools({ name: 'lok', args: {} }, { name: 'look', args: { at: 7 } }), says('Well.')],
    // A call is one of a tool: nothing is executed for the other.
    spans: ['chat scripted', 'execute_tool look', ...RUN],
  },
  {
    name: 'a call that a plugin denies',
    steps: [callsTool('look'), says('Well.')],
    plugins: [new Denying()],
    spans: ['chat scripted', 'execute_tool look', ...RUN],
  },
  {
    name: 'a pause and its approval',
    steps: [callsTool('pay'), says('Paid.')],
    play: async (runner) => {
      const { pending } = await runner.run(ADDRESS);
      for (const request of pending) await runner.approve(request);
    },
    spans: ['chat scripted', 'execute_tool pay', ...RUN],
  },
  {
    name: 'a model that fails',
    steps: [
      () => {
        throw new TypeError('out of order');
      },
    ],
    spans: ['chat scripted', ...RUN],
  },
  {
    name: 'an answer that is blocked',
    steps: [{ finishReason: 'SAFETY', errorCode: 'SAFETY', errorMessage: 'Blocked.' }],
    spans: ['chat scripted', ...RUN],
  },
  {
    name: 'a run that is cancelled',
    steps: [() => new Promise<never>(() => undefined)],
    play: async (runner) => {
      const run = runner.run(ADDRESS);
      setTimeout(() => {
        run.cancel();
      }, 20);
      await drain(run);
    },
    spans: ['chat scripted', ...RUN],
  },
  {
    name: 'an agent as a tool',
    steps: [callsTool('expert', { request: 'Look.' }), says('Seen.'), says('It is there.')],
    agent: (model) => {
      const expert = defineAgent({ name: 'expert', description: 'Knows.', model });
      return defineAgent({ name: 'clerk', model, tools: [agentTool(expert)] });
    },
    spans: ['chat scripted', 'execute_tool expert', ...RUN, 'invoke_agent expert'],
  },
  {
    name: 'a hand-over',
    steps: [callsTool('transfer_to_agent', { agentName: 'expert' }), says('Here.')],
    agent: (model) => {
      const expert = defineAgent({ name: 'expert', description: 'Knows.', model });
      return defineAgent({ name: 'clerk', model, subAgents: [expert] });
    },
    spans: ['chat scripted', 'execute_tool transfer_to_agent', ...RUN, 'invoke_agent expert'],
  },
  {
    name: 'a workflow of two at the same time',
    steps: [says('One.'), says('Two.')],
    agent: (model) =>
      workflow.parallel(defineAgent({ name: 'left', model }), defineAgent({ name: 'right', model }), {
        name: 'clerk',
      }),
    spans: ['chat scripted', ...RUN, 'invoke_agent left', 'invoke_agent right'],
  },
  {
    name: 'a live conversation with a call',
    steps: [],
    play: async (runner) => {
      const answers = [callsLive('look', {}, 'c1'), untilResponse('c1'), speaks('Seen.')];
      const model = new ScriptedLive(untilText(), ...answers);
      await using live = runner.live({ userId: 'ada', sessionId: 's1', model });
      live.sendText('Look!');
      for await (const event of live) if (!event.partial && event.text === 'Seen.') break;
    },
    spans: ['chat scripted-live', 'execute_tool look', ...RUN],
  },
  {
    name: 'a tool that asks the model',
    steps: [callsTool('ask'), says('Aside.'), says('Done.')],
    spans: ['chat scripted', 'execute_tool ask', ...RUN],
  },
  {
    name: 'a summary of the conversation',
    steps: [says('One.'), says('In short.')],
    compaction: { compactionInterval: 1, overlapSize: 0 },
    spans: ['chat scripted', ...RUN],
  },
  {
    name: 'settings of the request',
    steps: [says('{"n":1}')],
    agent: (model) =>
      defineAgent({
        name: 'clerk',
        model,
        outputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
        generateContentConfig: {
          temperature: 0.5,
          topP: 0.9,
          topK: 40,
          maxOutputTokens: 100,
          seed: 7,
          stopSequences: ['END'],
          presencePenalty: 0.1,
          frequencyPenalty: 0.2,
        },
      }),
    spans: ['chat scripted', ...RUN],
  },
];

function clerk(model: Model): AgentClass<unknown> {
  const at = { type: 'string' };
  const tools = [
    new FunctionTool({
      name: 'look',
      description: 'Looks.',
      parameters: { type: 'object', properties: { at } },
      run: () => 'seen',
    }),
    new FunctionTool({
      name: 'ask',
      description: 'Asks.',
      run: async (_args: object, context: ToolContext) => {
        const contents = [{ role: 'user', parts: [{ text: 'Well?' }] }];
        return (await context.askModel({ contents, config: {} })).content;
      },
    }),
    new FunctionTool({ name: 'pay', description: 'Pays.', confirm: true, run: () => 'paid' }),
    new FunctionTool({
      name: 'fail',
      description: 'Fails.',
      run: () => {
        throw new TypeError('broken');
      },
    }),
  ];
  return defineAgent({ name: 'clerk', instruction: 'Be kind.', model, tools });
}

async function drain(run: AsyncIterable<Event>): Promise<void> {
  for await (const _event of run);
}
