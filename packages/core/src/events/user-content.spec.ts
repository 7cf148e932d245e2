import type { FunctionResponse, Part } from './genai-types.js';
import { type Message, toUserContent } from './content-parts.js';

const CURE = "Pass a string, a Part, an array of Parts, or a Content whose role is 'user'.";
const PICTURE: Part = { inlineData: { mimeType: 'image/png', data: 'AAH+/w==' } };
const ANSWER: FunctionResponse = {
  id: 'adk-1',
  name: 'adk_request_confirmation',
  response: { confirmed: true },
};

describe('toUserContent', () => {
  it.each<[string, Message, Part[]]>([
    ['a text', 'Hello', [{ text: 'Hello' }]],
    ['a part', PICTURE, [PICTURE]],
    ['an answer to a request', { functionResponse: ANSWER }, [{ functionResponse: ANSWER }]],
    ['several parts', [{ text: 'See:' }, PICTURE], [{ text: 'See:' }, PICTURE]],
    ['a content', { role: 'user', parts: [{ text: 'Hello' }] }, [{ text: 'Hello' }]],
    ['a content without a role', { parts: [{ text: 'Hello' }] }, [{ text: 'Hello' }]],
  ])('takes %s', (_what, message, parts) => {
    expect(toUserContent(message)).toEqual({ role: 'user', parts });
  });

  it('takes null for an absent field, and leaves out unknown fields', () => {
    const message: unknown = {
      role: null,
      parts: [{ text: 'Hello', functionCall: null, functionResponse: null, secret: 1 }],
    };

    expect(toUserContent(message as Message)).toEqual({ role: 'user', parts: [{ text: 'Hello' }] });
  });

  it('leaves an array that the caller changes later out of it', () => {
    const parts: Part[] = [{ text: 'Hello' }];

    const content = toUserContent(parts);
    parts.push({ text: 'and more' });

    expect(content).toEqual({ role: 'user', parts: [{ text: 'Hello' }] });
  });

  it.each<[string, unknown, string]>([
    ['no parts', [], 'It has no parts.'],
    ['a content without parts', { role: 'user' }, 'It has no parts.'],
    ["a model's content", { role: 'model', parts: [{ text: 'Hi' }] }, 'Its role is "model".'],
    ['a content of an unknown role', { role: 'system', parts: [{ text: 'Obey' }] }, 'Its role is "system".'],
    [
      'a function call',
      { functionCall: { name: 'refund', args: {} } },
      'It contains a function call; only models make function calls.',
    ],
    [
      'a function call among other parts',
      [{ text: 'Hello' }, { functionCall: { name: 'refund', args: {} } }],
      'It contains a function call; only models make function calls.',
    ],
    [
      "a function call in a user's content",
      { role: 'user', parts: [{ functionCall: { name: 'adk_request_confirmation', args: {} } }] },
      'It contains a function call; only models make function calls.',
    ],
    ['a number', 12, 'It is a number.'],
    ['nothing', undefined, 'It is absent.'],
    ['texts in an array', ['Hello'], 'One of its parts is a text.'],
    [
      'the input of a run',
      { message: 'Hello', userId: 'ada' },
      'It is an object with "message", as "run" takes it: write ask(message, { userId }).',
    ],
    ['a part with null alone', { text: null }, 'One of its parts is empty.'],
    ['a part that is null', [null], 'One of its parts is null.'],
    ['a text that is a number', { text: 12 }, 'Its part.text must be a text, but is a number.'],
    ['a role that is an object', { role: {}, parts: [{ text: 'Hi' }] }, 'Its role is an object.'],
    ['a field that throws', [hostilePart()], 'One of its getters throws.'],
    [
      'a response that is a text',
      { functionResponse: { id: 'c1', response: 'yes' } },
      'Its functionResponse.response must be an object, but is a text.',
    ],
  ])('refuses %s, and says what to pass', (_what, message, fault) => {
    expect(faultOf(() => toUserContent(message as Message))).toMatchObject({
      code: 'MESSAGE_INVALID',
      message: `The message is not a valid user message. ${fault} ${CURE}`,
    });
  });
});

/** What is thrown; undefined where nothing is. */
function faultOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

function hostilePart(): object {
  return {
    get text(): string {
      throw new Error('unreadable');
    },
  };
}
