import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import {
  createRunner,
  defineAgent,
  FunctionTool,
  type GenerateContentConfig,
  type Runner,
} from '../index.js';

const FORCED = { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['look'] } } as unknown;

describe('a call that the settings of an agent force', () => {
  it('is forced for each message until its first result, and not after it', async () => {
    const model = new ScriptedModel(
      ...[callsTool('look'), says('Seen.'), callsTool('look'), callsTool('look'), says('Seen again.')],
    );
    await using runner = await start(model, { toolConfig: FORCED as GenerateContentConfig['toolConfig'] });

    await say(runner, 'Go.');
    await say(runner, 'Again.');

    expect(model.requests.map(({ config }) => config.toolConfig)).toEqual([
      ...[FORCED, undefined, FORCED, undefined, undefined],
    ]);
  });

  it('leaves the other settings of tools as they are', async () => {
    const model = new ScriptedModel(callsTool('look'), says('Seen.'));
    const retrievalConfig = { languageCode: 'en' };
    const toolConfig = { ...(FORCED as object), retrievalConfig };
    await using runner = await start(model, { toolConfig, temperature: 0 });

    await say(runner, 'Go.');

    expect(model.requests[1]?.config).toMatchObject({ temperature: 0, toolConfig: { retrievalConfig } });
    expect(model.requests[1]?.config.toolConfig).toEqual({ retrievalConfig });
  });
});

async function start(model: ScriptedModel, generateContentConfig: GenerateContentConfig): Promise<Runner> {
  const look = new FunctionTool({ name: 'look', description: 'Looks.', run: () => 'seen' });
  return createRunner(defineAgent({ name: 'clerk', model, tools: [look], generateContentConfig }));
}

async function say(runner: Runner, message: string): Promise<void> {
  await eventsOf(runner.run({ userId: 'ada', sessionId: 's1', message }));
}
