import { inspect } from 'node:util';

import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import { CredentialExchangeError, CredentialRejectedError } from '../auth/errors.js';
import { hostileValues } from '../../../schema/src/errors/hostile-values.fixture.js';
import { InvocationCancelledError } from '../run/cancellation.js';
import type { FunctionToolFields, LogFacts } from '../backend.js';
import {
  AdornError,
  type AuthConfig,
  ContainerModule,
  createRunner,
  defineAgent,
  FunctionTool,
  InMemoryCredentialService,
  Logger,
  ToolError,
} from '../index.js';
import { ToolTimeoutError } from '../tools/policies/errors.js';
import { ToolArgumentsInvalidError } from '@adorn/schema';
import { failureOf, reportable } from './outcome.js';
import { ListLogger as Lines, toolCall, toolNamed } from './tool-call.fixture.js';

/** An error of the framework, of a code that no model is told about. */
class WordForTheHost extends AdornError {
  readonly code = 'SESSION_NOT_FOUND';
}

describe('what a model learns of a failure', () => {
  it('is the message of a ToolError, as it is', async () => {
    const { told } = await failWith(() => {
      throw new ToolError('There is no order A-17.');
    });

    expect(told).toEqual({ error: 'There is no order A-17.' });
  });

  it('is logged as information without a stack where it is the answer of the tool, and with its cause as a warning', async () => {
    const answer = await failWith(() => {
      throw new ToolError('There is no order A-17.');
    });
    const cause = new Error('no rows');
    const failure = await failWith(() => {
      throw new ToolError('There is no order A-17.', { cause });
    });

    const { callId, ...facts } = answer.notes[0]?.[1] ?? {};
    expect(answer.warnings).toEqual([]);
    expect(answer.notes[0]?.[0]).toBe('tool "pay" answered with an error');
    expect(facts).toEqual({ message: 'There is no order A-17.' });
    expect(typeof callId).toBe('string');
    expect(failure.notes).toEqual([]);
    expect(failure.warnings).toMatchObject([['tool "pay" failed', { error: { cause } }]]);
  });

  it('is no more of it than a result may have, in the log too', async () => {
    const { told, warnings } = await failWith(() => {
      throw new ToolError('x'.repeat(1_000_000), { cause: new Error('no rows') });
    });

    expect(told?.['error']).toMatch(/^x+… \(cut: the text has 1000000 bytes\)$/);
    expect(JSON.stringify(told).length).toBeLessThan(66_000);
    expect(String(warnings[0]?.[1]['error']).length).toBeLessThan(66_000);
  });

  it('holds no secret of the credential that the call had, and neither does the log', async () => {
    const warnings: unknown[] = [];
    const logger = { debug() {}, info() {}, warn: (...line: unknown[]) => warnings.push(line), error() {} };
    const tool = new FunctionTool({
      name: 'pay',
      description: 'Pay.',
      exposeErrors: true,
      auth: {
        key: 'shop',
        scheme: { type: 'apiKey', in: 'query', name: 'key' },
        credential: { type: 'apiKey', apiKey: 'sk/canary+1' },
      },
      run: () => {
        const error = new Error('GET https://shop/?key=sk%2Fcanary%2B1 failed with sk/canary+1');
        throw Object.assign(error, { headers: { authorization: 'sk/canary+1' } });
      },
    });
    const modules = [
      new ContainerModule(({ bind }) => {
        bind(Logger).toConstantValue(logger);
      }),
    ];
    const model = new ScriptedModel(callsTool('pay'), says('ok'));
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [tool] }), {
      model,
      modules,
    });

    const events = await eventsOf(runner.run({ message: 'Pay.' }));

    expect(events[1]?.functionResponses[0]?.response).toEqual({
      error: 'GET https://shop/?key=[redacted] failed with [redacted]',
      outcome: 'unknown',
    });
    expect(warnings).toHaveLength(1);
    for (const print of [
      inspect(warnings, { depth: null }),
      JSON.stringify(warnings),
      inspect(tool, { depth: null }),
    ]) {
      expect(print).not.toContain('canary');
    }
  });

  it.each<[string, unknown, string]>([
    ['an error', new Error('password hunter2 refused'), 'Error'],
    ['an error of a kind', new TypeError('password hunter2 refused'), 'TypeError'],
    [
      'an error of the framework that is no word to a model',
      new WordForTheHost('password hunter2 refused'),
      'WordForTheHost',
    ],
    ['a text', 'password hunter2 refused', 'string'],
    ['nothing', undefined, 'undefined'],
  ])('is its kind alone, for %s: the log learns all of it', async (_what, thrown, kind) => {
    const { told, asked, warnings } = await failWith(() => {
      throw thrown;
    });

    expect(told).toEqual({
      error: `The tool failed (${kind}). Details are hidden. Continue without it, or retry.`,
    });
    expect(asked).not.toContain('hunter2');
    expect(warnings).toEqual([
      ['tool "pay" failed', { callId: expect.any(String) as unknown, error: thrown }],
    ]);
  });

  it.each(hostileValues())(
    'is said of $what, and ends neither the run nor the process',
    async ({ thrown }) => {
      for (const run of [() => throwing(thrown), () => rejecting(thrown)]) {
        for (const exposeErrors of [false, true]) {
          const { told } = await failWith(run, { exposeErrors });

          expect(told).toEqual({ error: expect.any(String) as unknown });
        }
      }
    },
  );

  it('is said where the logger throws', async () => {
    const { told } = await failWith(() => rejecting(new Error('secret')), {}, new Throwing());

    expect(told).toMatchObject({ error: expect.stringContaining('The tool failed (Error)') as unknown });
  });

  it('is said where the logger throws when the time of a tool is up', async () => {
    const { told } = await failWith(() => new Promise(() => undefined), { timeout: 1 }, new Throwing());

    expect(told).toEqual({
      error: 'The tool "pay" did not answer within 1 ms. Try again later, or continue without it.',
    });
  });

  it('is the same of a promise that rejects', async () => {
    const { told, warnings } = await failWith(() =>
      Promise.reject(new RangeError('password hunter2 refused')),
    );

    expect(told).toMatchObject({ error: expect.stringContaining('(RangeError)') as unknown });
    expect(warnings[0]?.[1]['error']).toEqual(new RangeError('password hunter2 refused'));
  });

  it.each<[string, unknown, string]>([
    ['an error', new Error('no such row'), 'no such row'],
    ['a text', 'no such row', 'no such row'],
  ])('is its message where the tool exposes its errors: %s', async (_what, thrown, error) => {
    const { told } = await failWith(
      () => {
        throw thrown;
      },
      { exposeErrors: true },
    );

    expect(told).toEqual({ error });
  });

  it('names each thing that is wrong with its arguments, and is not worth a warning', async () => {
    const { told, warnings } = await failWith(() => 'never', {
      parameters: {
        type: 'object',
        properties: { id: { type: 'string' } },
        required: ['id'],
        additionalProperties: false,
      },
    });

    expect(told).toEqual({
      error: 'Invalid arguments for "pay": id is required and missing. Correct them and call the tool again.',
    });
    expect(warnings).toEqual([]);
  });
});

describe('an error of the framework that concerns a call', () => {
  it.each<AdornError>([
    new CredentialExchangeError('The server refused the grant.'),
    new CredentialRejectedError(),
    new ToolArgumentsInvalidError('pay', ['no such day']),
    new ToolTimeoutError('pay', 5),
  ])('is told to the model by its message: $code', async (error) => {
    const { response } = failureOf(await toolCall(toolNamed('pay')), error);

    expect(response).toEqual({ error: error.message });
  });
});

describe('what a model learns of a call that was cancelled', () => {
  it('is that its effect is unknown, where it was cancelled under way', async () => {
    const logger = new Lines();
    const error = InvocationCancelledError.duringCall();
    const call = await toolCall(toolNamed('pay'), { logger });
    Object.assign(call.context, { mayHaveTakenEffect: true });

    expect(failureOf(call, error)).toEqual({
      kind: 'failed',
      response: { error: error.message, outcome: 'unknown' },
      error,
      invalid: false,
    });
    expect(logger.lines).toEqual([]);
  });

  it('is that it was not done, where its tool only reads, or has not begun', async () => {
    const error = InvocationCancelledError.duringCall();
    const reading = await toolCall(toolNamed('look', { effect: 'read' }));
    Object.assign(reading.context, { mayHaveTakenEffect: true });

    for (const call of [reading, await toolCall(toolNamed('pay'))])
      expect(failureOf(call, error).response).toEqual({ error: new InvocationCancelledError().message });
  });

  it('is that it was not done, where it was cancelled before', async () => {
    const error = new InvocationCancelledError();

    expect(failureOf(await toolCall(toolNamed('pay')), error).response).toEqual({ error: error.message });
  });
});

describe('the text of an error', () => {
  it.each<[string, string, string]>([
    ['is whole up to the limit of a result', 'x'.repeat(20), 'x'.repeat(20)],
    ['is cut where it is longer', 'x'.repeat(21), `${'x'.repeat(20)}… (cut: the text has 21 bytes)`],
    [
      'is cut between two characters, and not within one',
      `${'x'.repeat(19)}\u{1f680}`,
      `${'x'.repeat(19)}… (cut: the text has 23 bytes)`,
    ],
    [
      'keeps characters that were not readable before it was cut',
      `\uFFFD${'x'.repeat(18)}`,
      `\uFFFD${'x'.repeat(17)}… (cut: the text has 21 bytes)`,
    ],
  ])('%s', async (_what, text, told) => {
    const call = await toolCall(toolNamed('pay', { maxResultBytes: 20 }));

    expect(failureOf(call, new ToolError(text)).response).toEqual({ error: told });
  });

  it('is searched for secrets to its end, before it is logged', async () => {
    const call = await toolCall(toolNamed('pay', { maxResultBytes: 100_000 }));
    call.context.credential = { type: 'bearer', token: 'canary' };
    const error = { body: `${'x'.repeat(20_000)}canary` };

    expect(String(reportable(call, error))).toContain('[redacted]');
    expect(reportable(call, { body: 'x' })).toEqual({ body: 'x' });
  });

  it('holds no secret of a credential that the tool looked up while it ran, nor its refresh token', async () => {
    const credential = { type: 'oauth2', accessToken: 'canary-a', refreshToken: 'canary-r' } as const;
    const credentials = new InMemoryCredentialService();
    await credentials.save({ appName: 'app', userId: 'ada' }, 'shop', credential);
    const call = await toolCall(toolNamed('pay'), { credentials });
    const flow = { tokenUrl: 'https://as.test/token' };
    const auth: AuthConfig = {
      key: 'shop',
      shared: true,
      scheme: { type: 'oauth2', flows: { clientCredentials: flow } },
      credential: { type: 'oauthClient', clientId: 'app' },
    };
    await call.context.getAuthResponse(auth);

    expect(failureOf(call, new ToolError('canary-a or canary-r was refused')).response).toEqual({
      error: '[redacted] or [redacted] was refused',
    });
  });

  it('is what can be read of it, where it cannot be inspected', async () => {
    const call = await toolCall(toolNamed('pay'));
    call.context.credential = { type: 'bearer', token: 'canary' };
    const error = Object.assign(new Error('refused canary'), { [inspect.custom]: () => throwing('no') });

    expect(reportable(call, error)).toBe('refused [redacted]');
  });
});

function throwing(thrown: unknown): never {
  throw thrown;
}

function rejecting(thrown: unknown): Promise<never> {
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a tool may throw anything
  return Promise.reject(thrown);
}

async function failWith(
  run: FunctionToolFields['run'],
  fields: Partial<FunctionToolFields> = {},
  logger: ListLogger = new ListLogger(),
) {
  const pay = new FunctionTool({ name: 'pay', description: 'Pay.', effect: 'read', ...fields, run });
  const model = new ScriptedModel(callsTool('pay'), says('It failed.'));
  const modules = [new ContainerModule(({ bind }) => void bind(Logger).toConstantValue(logger))];
  await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [pay] }), { model, modules });
  const [, answer] = await eventsOf(runner.run({ message: 'Pay.' }));
  model.assertDone();
  return {
    told: answer?.functionResponses[0]?.response,
    asked: JSON.stringify(model.requests),
    warnings: logger.warnings,
    notes: logger.notes,
  };
}

class ListLogger extends Logger {
  readonly warnings: [string, LogFacts][] = [];
  readonly notes: [string, LogFacts][] = [];

  debug(): void {
    // Nobody looks at it.
  }

  info(message: string, facts: LogFacts = {}): void {
    this.notes.push([message, facts]);
  }

  warn(message: string, facts: LogFacts = {}): void {
    this.warnings.push([message, facts]);
  }

  error(): void {
    // Nobody looks at it.
  }
}

class Throwing extends ListLogger {
  override warn(): never {
    throw new Error('the disk is full');
  }
}
