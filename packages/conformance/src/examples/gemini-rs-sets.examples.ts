import {
  agent,
  builtInCodeExecution,
  createRunner,
  defineTool,
  googleSearch,
  LlmAgent,
  StaticToolset,
  type Tool,
  tool,
  urlContext,
} from 'adorn';
import { LiveAgent, phase } from '@adorn/live';
import { says, ScriptedModel, speaks, untilText } from '@adorn/testing';
import { expect } from 'expect';

import type { Example } from './example.js';
import { LiveCall, turnWith } from './live-call.js';
import { declaredLive } from './model-reads.js';

// example: built-in tools
@agent({ tools: [googleSearch(), builtInCodeExecution(), urlContext()] })
class SearchingDesk extends LlmAgent {}
// end of example

class Clock {
  /** Tell the time. */
  @tool
  now() {
    return '12:00';
  }
}

/** Roll a die. */
function roll() {
  return 4;
}

class Progress {
  /** Track a long-running operation. */
  @tool
  async *trackProgress() {
    for (let step = 0; step < 2; step++) yield await Promise.resolve({ step });
  }
}

// example: dispatcher registration
@agent({ tools: [Clock, roll, Progress] })
class RegisteredDesk extends LlmAgent {}
// end of example

const weatherTool = defineTool({ name: 'get_weather', description: 'Get the weather', run: () => 'rain' });

// example: T composition
/** Evaluate an expression. */
function calculate() {
  return { result: 42 };
}

@agent({ tools: [weatherTool, calculate, googleSearch()] })
class ComposedDesk extends LlmAgent {}
// end of example

const a = defineTool({ name: 'a', description: 'A', run: () => 'a' });
const b = defineTool({ name: 'b', description: 'B', run: () => 'b' });
const c = defineTool({ name: 'c', description: 'C', run: () => 'c' });

// example: toolset of a vec
const tools: Tool[] = [a, b, c];

@agent({ tools: [new StaticToolset(tools)] })
class ToolsetDesk extends LlmAgent {}
// end of example

@agent({ name: 'desk', tools: [weatherTool, Clock] })
class OnePhaseDesk extends LiveAgent {
  @phase({ first: true })
  talking() {
    return 'Talk.';
  }
}

const kindsIn = (all: readonly object[]): string[] => all.flatMap((one) => Object.keys(one));

export const builtInTools: Example = {
  name: 'built-in tools',
  there: 2,
  async play(promise) {
    await using call = await LiveCall.with(SearchingDesk, [untilText(), speaks('Hello.')]);
    await call.talk();
    promise('they are entries of the setup, and no functions', () => {
      expect(kindsIn(call.model.connection.setup.tools)).toEqual([
        'googleSearch',
        'codeExecution',
        'urlContext',
      ]);
    });

    const model = new ScriptedModel(says('One.'), says('Two.'));
    await using runner = await createRunner(SearchingDesk, { model });
    const address = { userId: 'ada', sessionId: 's1' };
    await runner.run({ ...address, message: 'One?' });
    await runner.run({ ...address, message: 'Two?' });
    promise('they are in each request by text, once', () => {
      for (const { config } of model.requests)
        expect(kindsIn(config.tools ?? [])).toEqual(['googleSearch', 'codeExecution', 'urlContext']);
    });
  },
};

export const registration: Example = {
  name: 'dispatcher registration',
  there: 5,
  async play(promise) {
    await using call = await LiveCall.with(
      RegisteredDesk,
      turnWith(['now', 'n1'], ['roll', 'r1'], ['track_progress', 't1']),
    );
    await call.talk();
    promise('methods, functions and tools that stream are registered in one list, and all are called', () => {
      expect(declaredLive(call.model).map(({ name }) => name)).toEqual(['now', 'roll', 'track_progress']);
      expect(call.told).toEqual({
        n1: [{ result: '12:00' }],
        r1: [{ result: 4 }],
        t1: [{ result: [{ step: 0 }, { step: 1 }] }],
      });
    });

    await using other = await LiveCall.with(OnePhaseDesk, turnWith(['nothing', 'x1']));
    await other.talk();
    promise('a call of a tool that there is not is answered with the names of those that there are', () => {
      expect(JSON.stringify(other.told['x1'])).toMatch(/nothing.*get_weather|get_weather.*nothing/);
    });
  },
};

export const composition: Example = {
  name: 'T composition',
  there: 8,
  async play(promise) {
    await using call = await LiveCall.with(
      ComposedDesk,
      turnWith(['get_weather', 'w1'], ['calculate', 'c1']),
    );
    await call.talk();
    promise('a tool, a function and a tool of the provider stand side by side', () => {
      expect(declaredLive(call.model).map(({ name }) => name)).toEqual(['get_weather', 'calculate']);
      expect(kindsIn(call.model.connection.setup.tools)).toContain('googleSearch');
      expect(call.told).toEqual({ w1: [{ result: 'rain' }], c1: [{ result: 42 }] });
    });
  },
};

export const toolsetOfVec: Example = {
  name: 'toolset of a vec',
  there: 2,
  async play(promise) {
    await using call = await LiveCall.with(ToolsetDesk, turnWith(['a', 'a1'], ['c', 'c1']));
    await call.talk();
    promise('all tools of the list are declared and called', () => {
      expect(declaredLive(call.model).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
      expect(call.told).toEqual({ a1: [{ result: 'a' }], c1: [{ result: 'c' }] });
    });
  },
};
