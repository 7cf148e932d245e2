import { ScriptedLive, ScriptedModel } from '@adorn/testing';

import { FunctionTool, type Tool } from '@adorn/core';
import { type LiveModel, NEXT_MESSAGE } from '@adorn/core/backend';
import type { LiveLine, LiveLineOptions } from '../line/live-line.js';
import type { TurnModelRequest } from '../../../core/src/turn/model-request.js';
import type { PlannedAgent } from '../../../core/src/turn/turn-agent.js';
import { liveModelOf, setupOf } from './live-setup.js';

const NONE: ReadonlySet<string> = new Set();

describe('the setup of a live connection', () => {
  it('has the options of the session, and the configuration without instruction and tools', () => {
    const config = { systemInstruction: 'Be kind.', temperature: 0.5, tools: [] };
    const line = lineOf({ voice: 'Puck', language: 'de-DE', modality: 'text', activity: 'manual' });

    expect(setupOf(requestOf({ config }), line, new ScriptedLive(), NONE)).toEqual({
      instruction: 'Be kind.',
      tools: [],
      backgroundTools: [],
      history: [],
      modality: 'text',
      voice: 'Puck',
      language: 'de-DE',
      transcribe: { input: true, output: true },
      activity: 'manual',
      config: { temperature: 0.5 },
    });
  });

  it.each<[string, TurnModelRequest['config']['systemInstruction'], string]>([
    ['absent', undefined, ''],
    ['a text', 'Be kind.', 'Be kind.'],
    ['a content', { parts: [{ text: 'Be ' }, { text: 'kind.' }] }, 'Be kind.'],
  ])('reads an instruction that is %s', (_what, systemInstruction, instruction) => {
    const request = requestOf({ config: { systemInstruction } });

    expect(setupOf(request, lineOf(), new ScriptedLive(), NONE).instruction).toBe(instruction);
  });

  it('transcribes what the model can, unless the session says otherwise', () => {
    const model = modelOf({ transcribes: ['input'] });

    expect(setupOf(requestOf(), lineOf(), model, NONE).transcribe).toEqual({ input: true, output: false });
    const asked = lineOf({ transcribe: { input: false, output: true } });
    expect(setupOf(requestOf(), asked, model, NONE).transcribe).toEqual({ input: false, output: true });
  });

  it('leaves out the request to go on, and calls that are open with their interim responses', () => {
    const call = {
      role: 'model',
      parts: [{ text: 'I look.' }, { functionCall: { id: 'c-1', name: 'look' } }],
    };
    const response = { role: 'user', parts: [{ functionResponse: { id: 'c-1', name: 'look' } }] };
    const other = { role: 'model', parts: [{ functionCall: { id: 'c-2', name: 'look' } }] };
    const request = requestOf({ contents: [call, response, other, NEXT_MESSAGE, { role: 'user' }] });

    const { history } = setupOf(request, lineOf(), new ScriptedLive(), new Set(['c-1']));
    expect(history).toEqual([{ role: 'model', parts: [{ text: 'I look.' }] }, other]);
    const whole = setupOf(request, lineOf(), new ScriptedLive(), NONE).history;
    expect(whole).toEqual([call, response, other, { role: 'user' }]);
  });

  it('names the tools whose results may come later: those with a scheduling, and those that listen', () => {
    const tools = [
      toolOf('plain'),
      toolOf('later', { scheduling: 'silent' }),
      toolOf('ear', undefined, true),
    ];
    const setup = setupOf(requestOf({ tools }), lineOf(), new ScriptedLive(), NONE);

    expect(setup.backgroundTools).toEqual(['later', 'ear']);
  });

  it('declares stop_streaming beside a tool that listens, unless the agent has a tool of that name', () => {
    const declared = [{ functionDeclarations: [{ name: 'ear' }] }];
    const namesOf = (...tools: readonly Tool[]): unknown =>
      setupOf(requestOf({ config: { tools: declared }, tools }), lineOf(), new ScriptedLive(), NONE).tools;

    expect(namesOf(toolOf('plain'))).toEqual(declared);
    expect(namesOf(toolOf('ear', undefined, true), toolOf('stop_streaming'))).toEqual(declared);
    expect(namesOf(toolOf('ear', undefined, true))).toEqual([
      ...declared,
      {
        functionDeclarations: [
          {
            name: 'stop_streaming',
            description: 'Stops a tool that listens, when its observations are not needed any more.',
            parametersJsonSchema: {
              type: 'object',
              properties: { function_name: { type: 'string', description: 'The name of the tool.' } },
              required: ['function_name'],
            },
          },
        ],
      },
    ]);
  });
});

describe('the model of a live session', () => {
  const live = new ScriptedLive();
  const written = new ScriptedModel();

  it('is that of the session, or the live counterpart of that of the agent', () => {
    const own = new ScriptedLive();
    const counterpart = Object.create(written, { live: { value: own } }) as ScriptedModel;

    expect(liveModelOf(agentOf(counterpart), lineOf({ model: live }))).toBe(live);
    expect(liveModelOf(agentOf(counterpart), lineOf())).toBe(own);
  });

  it('is missed where neither is there', () => {
    expect(() => liveModelOf(agentOf(written), lineOf())).toThrow(
      expect.objectContaining({
        code: 'LIVE_MODEL_MISSING',
        message:
          `The agent "clerk" cannot hold a live conversation: its model "${written.name}" has no live counterpart. ` +
          'Pass runner.live({ model }), or give the agent a model whose `live` is defined.',
      }) as Error,
    );
  });

  function agentOf(model: ScriptedModel): PlannedAgent {
    return { name: 'clerk', model } as unknown as PlannedAgent;
  }
});

interface RequestFields {
  readonly config?: TurnModelRequest['config'];
  readonly contents?: TurnModelRequest['contents'];
  readonly tools?: readonly Tool[];
}

function requestOf({ config = {}, contents = [], tools = [] }: RequestFields = {}): TurnModelRequest {
  const table = {
    names: tools.map(({ name }) => name),
    find: (name: string) => {
      const tool = tools.find((one) => one.name === name);
      return tool && { tool };
    },
  };
  return { config, contents, tools: table } as unknown as TurnModelRequest;
}

function lineOf(options: Partial<LiveLineOptions> = {}): LiveLine {
  return {
    options: { modality: 'audio', transcribe: {}, activity: 'automatic', ...options },
  } as unknown as LiveLine;
}

function modelOf(capabilities: Partial<LiveModel['capabilities']>): LiveModel {
  const model = new ScriptedLive();
  return { name: model.name, capabilities: { ...model.capabilities, ...capabilities } } as LiveModel;
}

function toolOf(name: string, background?: { readonly scheduling: 'silent' }, takesLiveInput = false): Tool {
  const tool = new FunctionTool({ name, description: 'A tool.', run: () => 'done', background });
  return Object.create(tool, { takesLiveInput: { value: takesLiveInput } }) as Tool;
}
