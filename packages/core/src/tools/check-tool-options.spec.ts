import { agent, createRunner, defineTool, FunctionTool, LlmAgent, tool } from '../index.js';
import { says, ScriptedModel } from '@adorn/testing';

const AUTH = { scheme: { type: 'apiKey', in: 'header', name: 'X-Key' }, key: 'bank' } as const;
const FIELDS = { name: 'get_rain', description: 'Rain.', run: () => 'none' };

describe('the options of a tool', () => {
  it.each<[string, (options: object) => unknown]>([
    ['FunctionTool', (options) => new FunctionTool({ ...FIELDS, ...options })],
    ['defineTool of an object', (options) => defineTool({ ...FIELDS, parameters: {}, ...options })],
    ['defineTool of a function', (options) => defineTool(function get_rain() {}, options)],
  ])('are refused by %s where they do not exist, with the one that was meant', (_way, make) => {
    expect(() => make({ timout: 5 })).toThrow(
      /^The tool "get_rain": there is no option timout\. Did you mean timeout\? Valid: approvers, auth, /,
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

  it.each<[object, string]>([
    [{ idempotent: 1 }, 'idempotent is 1. Pass true, false, or a function of the arguments.'],
    [
      { background: 'yes' },
      'background is "yes". Pass true, false or an object such as { scheduling: \'silent\' }.',
    ],
    [{ background: { scheduling: 'idle' } }, 'in background, scheduling is "idle".'],
    [
      { background: { schedule: 'silent' } },
      'in background, there is no option schedule. Did you mean scheduling?',
    ],
    [{ cache: 'yes' }, 'cache is "yes". Pass true, false or an object such as { ttlMs: 60_000 }.'],
    [{ cache: null }, 'cache is null. Pass true, false or an object'],
    [{ cache: [] }, 'cache is a list.'],
    [
      { cache: { ttl: 5 } },
      'in cache, there is no option ttl. Did you mean ttlMs? Valid: scope, ttlMs, maxEntries.',
    ],
    [
      { cache: { scope: 'sesion' } },
      'in cache, scope is "sesion". Did you mean session? Valid: invocation, session,',
    ],
    [{ cache: { scope: null } }, 'in cache, scope is null. Valid: invocation, session, user, app.'],
    [{ cache: { ttlMs: 0 } }, 'in cache, ttlMs is 0. Pass milliseconds above 0, or Infinity.'],
    [{ cache: { ttlMs: NaN } }, 'in cache, ttlMs is NaN.'],
    [{ cache: { maxEntries: 0 } }, 'in cache, maxEntries is 0. Pass a whole number of at least 1.'],
    [{ cache: { maxEntries: Infinity } }, 'in cache, maxEntries is Infinity.'],
    [
      { cache: true, effect: 'write' },
      'cache is set, but the effect is "write": an equal call would be answered without having the effect. Remove cache',
    ],
    [{ cache: {}, effect: 'destructive' }, 'cache is set, but the effect is "destructive"'],
    [
      { background: true, longRunning: true },
      'background is set, but the tool is longRunning: it ends at once with a handle. Remove one of them.',
    ],
    [
      { background: {}, sequential: true },
      'background is set, but the tool is sequential: no other call may run beside it. Remove one of them.',
    ],
    [
      { cache: true, longRunning: true },
      'cache is set, but the tool is longRunning: its result is a handle of one call. Remove one of them.',
    ],
    [
      { cache: { scope: 'app' }, auth: AUTH },
      'cache.scope is "app", but the tool needs a credential, and results of one user must not reach another. Pass the',
    ],
    [
      { retry: '3', effect: 'read' },
      'retry is "3". Pass a number of attempts or an object such as { attempts: 3 }.',
    ],
    [{ retry: 1, effect: 'read' }, 'retry is 1. Pass a whole number of at least 2.'],
    [{ retry: 2.5, effect: 'read' }, 'retry is 2.5.'],
    [{ retry: true, effect: 'read' }, 'retry is true.'],
    [{ retry: {}, effect: 'read' }, 'in retry, attempts is missing. Pass a whole number of at least 2.'],
    [{ retry: { attempts: 2, delay: 5 } }, 'in retry, there is no option delay. Did you mean delayMs?'],
    [
      { retry: { attempts: 2, delayMs: -1 } },
      'in retry, delayMs is -1. Pass milliseconds from 0 to 2147483647.',
    ],
    [{ retry: { attempts: 2, maxDelayMs: 2 ** 31 } }, 'in retry, maxDelayMs is 2147483648.'],
    [{ retry: { attempts: 2, maxDelayMs: NaN } }, 'in retry, maxDelayMs is NaN.'],
    [{ retry: { attempts: 2, unsafe: 'yes' } }, 'in retry, unsafe is "yes". Pass true or false.'],
    [
      { retry: 2 },
      'retry is set, but an attempt that failed may have had its effect, and a second one would repeat it. ' +
        "Set effect: 'read' or idempotent: true if repeating is safe, or retry: { attempts, unsafe: true } if it may",
    ],
    [
      { retry: { attempts: 2, unsafe: false }, effect: 'write', idempotent: false },
      'retry is set, but an attempt',
    ],
    [{ rateLimit: 5 }, 'rateLimit is 5. Pass an object such as { calls: 10, perMs: 60_000 }.'],
    [{ rateLimit: { calls: 5 } }, 'in rateLimit, perMs is missing. Pass milliseconds above 0.'],
    [{ rateLimit: { perMs: 5 } }, 'in rateLimit, calls is missing.'],
    [{ rateLimit: { calls: 0, perMs: 5 } }, 'in rateLimit, calls is 0. Pass a whole number of at least 1.'],
    [{ rateLimit: { calls: 1, perMs: 0 } }, 'in rateLimit, perMs is 0.'],
    [{ rateLimit: { calls: 1, perMs: Infinity } }, 'in rateLimit, perMs is Infinity.'],
    [
      { rateLimit: { calls: 1, perMs: 1, scope: 'session' } },
      'in rateLimit, scope is "session". Valid: user, app.',
    ],
    [{ rateLimit: { calls: 1, perMs: 1, maxWaitMs: Infinity } }, 'in rateLimit, maxWaitMs is Infinity.'],
    [{ concurrency: 0 }, 'concurrency is 0. Pass a whole number of at least 1.'],
    [{ concurrency: Infinity }, 'concurrency is Infinity.'],
    [
      { concurrency: 'two' },
      'concurrency is "two". Pass a number of calls or an object such as { calls: 2 }.',
    ],
    [{ concurrency: {} }, 'in concurrency, calls is missing.'],
    [
      { concurrency: { calls: 1, maxQueue: -1 } },
      'in concurrency, maxQueue is -1. Pass a whole number of at least 0.',
    ],
    [{ concurrency: { calls: 1, maxQueue: 1.5 } }, 'in concurrency, maxQueue is 1.5.'],
    [{ concurrency: { calls: 1, scope: 'users' } }, 'in concurrency, scope is "users". Did you mean user?'],
  ])('refuse policies such as %j', (options, message) => {
    expect(() => new FunctionTool({ ...FIELDS, ...options })).toThrow(`The tool "get_rain": ${message}`);
    expect(() => defineTool({ ...FIELDS, parameters: {}, ...options })).toThrow(message);
  });

  it.each<[object]>([
    [{ cache: false, effect: 'write', longRunning: true }],
    [{ cache: { scope: 'user', ttlMs: Infinity, maxEntries: 1 }, auth: AUTH, effect: 'read' }],
    [{ cache: { scope: undefined, ttl: undefined } }],
    [{ retry: 2, idempotent: true, effect: 'write' }],
    [{ retry: 2, idempotent: () => false, effect: 'destructive' }],
    [{ retry: { attempts: 2, delayMs: 0, maxDelayMs: 2 ** 31 - 1, unsafe: true }, effect: 'destructive' }],
    [{ rateLimit: { calls: 1, perMs: 0.5, scope: 'user', maxWaitMs: 0 } }],
    [{ concurrency: 1 }],
    [{ concurrency: { calls: 1, scope: 'user', maxQueue: 0 } }],
  ])('may be %j', (options) => {
    expect(() => new FunctionTool({ ...FIELDS, ...options })).not.toThrow();
  });

  it('may be undefined, 0 or Infinity', () => {
    const options = { timeout: Infinity, checkTimeout: 0, effect: undefined, colour: undefined };

    expect(() => new FunctionTool({ ...FIELDS, ...options })).not.toThrow();
  });
});
