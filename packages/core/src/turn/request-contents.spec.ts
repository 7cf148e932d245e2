import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import {
  agent,
  type Content,
  createRunner,
  defineAgent,
  Event,
  FunctionTool,
  LlmAgent,
  type ModelRequest,
  type Runner,
  StaticToolset,
  type Tool,
} from '../index.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };

@agent({ name: 'clerk', description: '', tools: [tool('a')] })
class SettingClerk extends LlmAgent {
  override beforeModel(request: ModelRequest): void {
    request.config = { ...request.config, temperature: 0 };
  }
}

/** Contents of the conversation before the first run. */
const LENGTH = 1_000;

describe('the contents of a request in a long conversation', () => {
  const agents = {
    'an agent with tools': defineAgent({ name: 'clerk', tools: [tool('a')] }),
    'an agent whose beforeModel does not read them': SettingClerk,
    'an agent with a toolset': defineAgent({ name: 'clerk', tools: [new StaticToolset([tool('a')])] }),
    'an agent whose tool changes the configuration': defineAgent({
      name: 'clerk',
      tools: [tool('a'), passiveTool((request) => (request.config = { ...request.config, seed: 1 }))],
    }),
    'an agent whose instruction follows the conversation': defineAgent({
      name: 'clerk',
      staticInstruction: 'Be.',
      instruction: 'Be brief.',
      tools: [tool('a')],
    }),
  };

  it('hold an instruction that follows the conversation in its own request alone', async () => {
    const ends: (string | undefined)[][] = [];
    const step =
      (answer: ReturnType<typeof says>) =>
      ({ contents }: ModelRequest) => {
        ends.push(textsOf(contents.slice(LENGTH)));
        return answer;
      };
    const Clerk = agents['an agent whose instruction follows the conversation'];
    const model = new ScriptedModel(step(says('One.')), step(says('Two.')));
    await using runner = await longConversation(Clerk, model);

    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));
    await eventsOf(runner.run({ ...ADDRESS, message: 'Go on.' }));

    expect(ends).toEqual([
      ['Go.', 'Be brief.'],
      ['Go.', 'One.', 'Go on.', 'Be brief.'],
    ]);
  });

  it('do not change while the model is asked, whatever is appended to the session', async () => {
    const asked: number[] = [];
    const model = new ScriptedModel(async (request) => {
      const { contents } = request;
      await append(runner, 'And this?');
      asked.push(contents.length, request.contents.length);
      return says('Done.');
    });
    await using runner = await longConversation(defineAgent({ name: 'clerk' }), model);

    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));

    expect(asked).toEqual([LENGTH + 1, LENGTH + 1]);
  });

  it('do not change in a request that the model keeps', async () => {
    const kept: ModelRequest[] = [];
    const keep = (request: ModelRequest) => {
      kept.push(request);
      expect(request.contents.length).toBeGreaterThan(LENGTH);
      return says('Done.');
    };
    await using runner = await longConversation(
      defineAgent({ name: 'clerk' }),
      new ScriptedModel(keep, keep, keep),
    );

    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));
    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));
    const [first] = kept;
    const contents = first?.contents;
    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));

    expect([contents, first?.contents].map((list) => list?.length)).toEqual(Array(2).fill(LENGTH + 1));
  });

  it('are never lent to a callback, also while the model reads them', async () => {
    const read: (readonly Content[] | undefined)[] = [];
    let kept: ModelRequest | undefined;
    @agent({ name: 'clerk', description: '' })
    class Clerk extends LlmAgent {
      override beforeModel(request: ModelRequest): void {
        kept = request;
      }
    }
    const model = new ScriptedModel(({ contents }) => {
      read.push(contents, kept?.contents);
      return says('Done.');
    });
    await using runner = await longConversation(Clerk, model);

    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));

    const [lent, own] = read;
    expect(own === lent).toBe(false);
    expect(own).toHaveLength(LENGTH + 1);
  });
});

describe('the contents of a request in a short conversation', () => {
  it('are an array that never changes', async () => {
    const seen: (readonly Content[])[] = [];
    const model = recording(seen, says('One.'), says('Two.'));
    await using runner = await createRunner(defineAgent({ name: 'clerk' }), { model });

    await eventsOf(runner.run({ ...ADDRESS, message: 'Hi.' }));
    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));

    expect(seen.map(textsOf)).toEqual([['Hi.'], ['Hi.', 'One.', 'Go.']]);
  });

  it('do not change while the model is asked, whatever is appended to the session', async () => {
    const asked: (string | undefined)[][] = [];
    const model = new ScriptedModel(async (request) => {
      const { contents } = request;
      await append(runner, 'And this?');
      asked.push(textsOf(contents), textsOf(request.contents));
      return says('Done.');
    });
    await using runner = await createRunner(defineAgent({ name: 'clerk' }), { model });

    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));

    expect(asked).toEqual([['Go.'], ['Go.']]);
  });

  it('do not change in a request that a callback or the model keeps', async () => {
    const kept: ModelRequest[] = [];
    @agent({ name: 'clerk', description: '' })
    class Clerk extends LlmAgent {
      override beforeModel(request: ModelRequest): void {
        kept.push(request);
      }
    }
    const keep = (request: ModelRequest) => {
      kept.push(request);
      return says('Done.');
    };
    await using runner = await createRunner(Clerk, { model: new ScriptedModel(keep, keep) });

    await eventsOf(runner.run({ ...ADDRESS, message: 'Hi.' }));
    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));

    expect(kept.map(({ contents }) => contents.length)).toEqual([1, 1, 3, 3]);
  });

  it('may be changed by beforeModel for one request and no later one', async () => {
    const seen: (readonly Content[])[] = [];
    @agent({ name: 'clerk', description: '' })
    class Clerk extends LlmAgent {
      override beforeModel(request: ModelRequest): void {
        if (request.contents.length === 1) (request.contents as unknown[]).length = 0;
        else (request.contents as unknown[]).push({ role: 'user', parts: [{ text: 'Changed.' }] });
      }
    }
    const model = recording(seen, says('One.'), says('Two.'));
    await using runner = await createRunner(Clerk, { model });

    await eventsOf(runner.run({ ...ADDRESS, message: 'Hi.' }));
    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));

    expect(seen.map(textsOf)).toEqual([[], ['Hi.', 'One.', 'Go.', 'Changed.']]);
  });

  it('may be changed by a tool for one request', async () => {
    const seen: (readonly Content[])[] = [];
    const passive = passiveTool((request) => {
      (request.contents as unknown[]).push({ role: 'user', parts: [{ text: 'Changed.' }] });
    });
    const Clerk = defineAgent({ name: 'clerk', tools: [passive, tool('a')] });
    await using runner = await createRunner(Clerk, {
      model: recording(seen, callsTool('a'), says('Done.')),
    });

    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));

    expect(seen.map(({ length }) => length)).toEqual([2, 4]);
  });

  it('are not changed for the model by a callback that replaces them after they were sent', async () => {
    const seen: (string | undefined)[][] = [];
    let kept: ModelRequest | undefined;
    @agent({ name: 'clerk', description: '' })
    class Clerk extends LlmAgent {
      override beforeModel(request: ModelRequest): void {
        kept = request;
      }
    }
    const model = new ScriptedModel((request) => {
      if (kept !== undefined) kept.contents = [];
      seen.push(textsOf(request.contents));
      return says('Done.');
    });
    await using runner = await createRunner(Clerk, { model });

    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));

    expect(seen).toEqual([['Go.']]);
  });

  it('may be replaced by a model that hands its request on', async () => {
    const seen: (readonly Content[])[] = [];
    const inner = recording(seen, says('Done.'));
    const model = new ScriptedModel(async (request) => {
      request.contents = [...request.contents, { role: 'user', parts: [{ text: 'Quick.' }] }];
      for await (const response of inner.generate(request)) return response;
      throw new Error('There was no answer.');
    });
    await using runner = await createRunner(defineAgent({ name: 'clerk' }), { model });

    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));

    expect(seen.map(textsOf)).toEqual([['Go.', 'Quick.']]);
  });
});

/** A conversation too long to be copied for each request. */
async function longConversation(Clerk: Parameters<typeof createRunner>[0], model: ScriptedModel) {
  const runner = await createRunner(Clerk, { model });
  await runner.sessions.createSession({ appName: 'clerk', ...ADDRESS });
  for (let index = 0; index < LENGTH; index++) await append(runner, `Message ${String(index)}.`);
  return runner;
}

async function append(runner: Runner<unknown>, text: string): Promise<void> {
  const session = await runner.sessions.getSession({ appName: 'clerk', ...ADDRESS });
  if (session === undefined) throw new Error('There is no session.');
  const content = { role: 'user', parts: [{ text }] };
  await runner.sessions.appendEvent(
    session,
    new Event({ author: 'user', content }, { invocationId: 'e-0', timestamp: 0 }),
  );
}

/** Gives the answers, and records the very arrays that it was asked with. */
function recording(seen: (readonly Content[])[], ...answers: ReturnType<typeof says>[]) {
  return new ScriptedModel(
    ...answers.map((answer) => ({ contents }: ModelRequest) => {
      seen.push(contents);
      return answer;
    }),
  );
}

function textsOf(contents: readonly Content[]): (string | undefined)[] {
  return contents.map(({ parts }) => parts?.[0]?.text);
}

function tool(name: string): FunctionTool {
  return new FunctionTool({ name, description: '', run: () => name });
}

function passiveTool(processRequest: (request: ModelRequest) => void): Tool {
  const passive: Tool = new FunctionTool({ name: 'passive', description: '', run: () => undefined });
  return Object.assign(passive, { declaration: () => undefined, processRequest });
}
