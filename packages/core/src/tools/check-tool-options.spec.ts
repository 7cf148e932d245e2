import { agent, createRunner, defineTool, FunctionTool, LlmAgent, tool } from '../index.js';
import { says, ScriptedModel } from '@adorn/testing';

describe('the options of a tool', () => {
  it.each<[string, (options: object) => unknown]>([
    ['FunctionTool', (options) => new FunctionTool({ ...FIELDS, ...options })],
    ['defineTool of an object', (options) => defineTool({ ...FIELDS, parameters: {}, ...options })],
    ['defineTool of a function', (options) => defineTool(function get_rain() {}, options)],
  ])('are refused by %s where they do not exist, with the one that was meant', (_way, make) => {
    expect(() => make({ timout: 5 })).toThrow(
      /^The tool "get_rain": there is no option timout\. Did you mean timeout\? Valid: auth, /,
    );
  });

  it('are refused of a method when its agent is built', async () => {
    class Weather {
      @tool({ description: 'Rain.', parameters: {}, confirmm: true } as object)
      rain(): string {
        return 'none';
      }
    }
    @agent({ description: '', tools: [Weather] })
    class Clerk extends LlmAgent {}

    await expect(createRunner(Clerk, { model: new ScriptedModel(says('Hm.')) })).rejects.toMatchObject({
      code: 'TOOL_CONFIG_INVALID',
      message: expect.stringContaining('there is no option confirmm. Did you mean confirm?'),
    });
  });

  it.each<[string, unknown, string]>([
    ['timeout', NaN, 'timeout is NaN. Pass a number of at least 0, or Infinity for no limit.'],
    ['timeout', '5', 'timeout is "5".'],
    ['checkTimeout', -1, 'checkTimeout is -1.'],
    ['maxResultBytes', null, 'maxResultBytes is null.'],
    [
      'effect',
      'destroys',
      'effect is "destroys". Did you mean destructive? Valid: read, write, destructive.',
    ],
    ['unknownArguments', 'keep', 'unknownArguments is "keep". Valid: refuse, drop.'],
  ])('refuse %s: %p', (name, value, message) => {
    expect(() => new FunctionTool({ ...FIELDS, [name]: value })).toThrow(`The tool "get_rain": ${message}`);
  });

  it('may be undefined, 0 or Infinity', () => {
    const options = { timeout: Infinity, checkTimeout: 0, effect: undefined, colour: undefined };

    expect(() => new FunctionTool({ ...FIELDS, ...options })).not.toThrow();
  });
});

const FIELDS = { name: 'get_rain', description: 'Rain.', run: () => 'none' };
