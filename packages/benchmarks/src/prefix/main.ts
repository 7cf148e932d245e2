// `npm run bench -- --prefix`: bytes and cached share of thirty turns with forty tools, three sub-agents and memory, on three wires.
import { aiSdkModel } from '@adorn/ai-sdk';
import {
  callsFunctions,
  type ModelEmulator,
  saysText,
  startAnthropicEmulator,
  startGeminiEmulator,
  startOpenAiEmulator,
} from '@adorn/testing';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import {
  createRunner,
  defineAgent,
  FunctionTool,
  GeminiModel,
  loadArtifacts,
  type Model,
  preloadMemory,
} from 'adorn';

import { formatTable } from '../overhead/report/format.js';
import { type CacheRule, costOfRequests, type RequestBody } from './cached-share.js';
import { LOOK, OTHERS, questionOf, RESULT, RULES, TOOLS, TURNS } from './conversation.js';

interface Wire {
  readonly name: string;
  readonly rule: CacheRule;
  readonly start: (script: Script) => Promise<ModelEmulator>;
  readonly model: (url: string) => Model;
}

type Script = Parameters<typeof startGeminiEmulator>[0];

const WIRES: readonly Wire[] = [
  {
    name: 'Gemini',
    rule: 'common beginning',
    start: startGeminiEmulator,
    model: (baseUrl) => new GeminiModel({ apiKey: 'x', baseUrl }),
  },
  {
    name: 'OpenAI',
    rule: 'common beginning',
    start: startOpenAiEmulator,
    model: (url) => aiSdkModel(createOpenAI({ baseURL: `${url}/v1`, apiKey: 'x' })('gpt-5')),
  },
  {
    name: 'Anthropic',
    rule: 'marked blocks',
    start: startAnthropicEmulator,
    model: (url) => aiSdkModel(createAnthropic({ baseURL: `${url}/v1`, apiKey: 'x' })('claude-sonnet-4-5')),
  },
];

/** The bodies of the requests of one conversation. */
async function converse({ start, model }: Wire): Promise<RequestBody[]> {
  const script = Array.from({ length: TURNS }, (_, turn) => [
    callsFunctions({ name: `look${String(turn)}`, args: { q: `room ${String(turn)}` } }),
    saysText(`Answer ${String(turn)}.`),
  ]).flat();
  await using server = await start(script);
  const desk = defineAgent({
    name: 'desk',
    description: 'A desk.',
    instruction: RULES,
    subAgents: OTHERS.map((name) =>
      defineAgent({ name, description: `Knows about the ${name}.`, instruction: RULES }),
    ),
    tools: [...Array.from({ length: TOOLS }, (_, index) => look(index)), preloadMemory(), loadArtifacts()],
  });
  await using runner = await createRunner(desk, { appName: 'house', model: model(server.url) });
  const memories = Array.from({ length: 8 }, (_, room) => ({
    content: { role: 'user', parts: [{ text: `Room ${String(room)} is where somebody works, said Ada.` }] },
  }));
  await runner.memory.addMemory({ appName: 'house', userId: 'ada' }, memories);
  for (let turn = 0; turn < TURNS; turn += 1)
    await runner.ask(questionOf(turn), { userId: 'ada', sessionId: 's1' });
  return server.requests.map(({ body }) => body);
}

function look(index: number): FunctionTool {
  return new FunctionTool({
    ...LOOK,
    name: `look${String(index)}`,
    effect: 'read',
    run: async (_args, context) => {
      await context.saveArtifact(`page${String(index)}`, { text: 'words' });
      return { found: RESULT };
    },
  });
}

const HEAD = ['wire', 'requests', 'kB sent', 'kB of the last', 'found in the cache from turn 2 on'];
const rows: string[][] = [];
for (const wire of WIRES) {
  const bodies = await converse(wire);
  const { bytes, share } = costOfRequests(bodies, wire.rule, 2);
  const last = JSON.stringify(bodies.at(-1)).length;
  rows.push([
    wire.name,
    String(bodies.length),
    kilobytes(bytes),
    kilobytes(last),
    `${(share * 100).toFixed(1)} %`,
  ]);
}
console.log(formatTable(HEAD, rows));

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(0);
}
