import { Clock, type Message } from '@adorn/core';
import {
  type Awaitable,
  checkOptions,
  FUNCTION,
  OBJECT,
  type OptionRules,
  type PrincipalInput,
  required,
  TEXT,
} from '@adorn/core/backend';

import { type Endpoint, type MessageFleet, sendOnce } from './endpoint.js';
import { DeliveryRefusedError } from './errors.js';
import type { DeliveryCheck } from './signatures.js';

/** A request that has passed its check. */
export interface Delivery {
  /** The same if it is delivered again. */
  readonly id: string;
  /** The body as JSON says it. It comes from outside: read it by a schema. */
  readonly body: unknown;
  /** Not signed, unless the check says so. */
  readonly headers: Headers;
}

/** The run that a delivery begins, or feeds. */
export interface TriggeredRun {
  /** Owns the session, its state, memory and credentials. */
  readonly userId: string;
  readonly message: Message;
  /**
   * The conversation that the message goes to; a run that is open there ends first. The same for the same delivery, which else would run
   * twice if it is delivered again. Default: one of its own, by the id of the delivery.
   */
  readonly sessionId?: string | undefined;
  /** Who sends the message. Default: the trigger, which acts for the user: `{ id: 'trigger:/hooks/stripe', actsFor: userId }`. */
  readonly by?: PrincipalInput | undefined;
}

/** The options of `trigger`. */
export interface TriggerOptions {
  /** Who may call: `standardWebhooks(secret)`, `hmac({ secret, header })`, or a function of your own. */
  readonly verify: DeliveryCheck;
  /** What begins. Undefined for a delivery that is of no interest. */
  readonly to: (delivery: Delivery) => Awaitable<TriggeredRun | undefined>;
  /** The application. Default: the only one of the server. */
  readonly app?: string;
  /** A fleet whose workers run it. Default: the server itself. */
  readonly fleet?: MessageFleet;
}

const OPTIONS: OptionRules<TriggerOptions> = {
  verify: required(FUNCTION),
  to: required(FUNCTION),
  app: TEXT,
  fleet: OBJECT,
};

/** A longer id would be no name of a run. */
const LONGEST_ID = 256;

/**
 * A webhook that begins a run. A delivery is checked by its bytes, its message is stored, and it is answered with 202; the run goes on
 * behind that. What is delivered again runs once.
 *
 * ```ts
 * const paid = trigger('/hooks/shop', {
 *   verify: standardWebhooks(secret),
 *   to: ({ body }) => ({ userId: 'desk', message: `An order was paid: ${JSON.stringify(body)}` }),
 * });
 * const handler = await adornHandler(runner, { authenticate, endpoints: [paid] });
 * ```
 *
 * @param path where the server answers, such as `/hooks/shop`
 * @throws {AdornError} `OPTION_INVALID`
 */
export function trigger(path: string, options: TriggerOptions): Endpoint {
  checkOptions('trigger', { path }, { path: required(TEXT) });
  checkOptions('trigger', options, OPTIONS);
  const { verify, to, app, fleet } = options;
  return {
    path,
    app,
    receive: async (request, { runner }) => {
      const id = verify(request, runner.get(Clock).now());
      if (typeof id !== 'string' || id === '' || id.length > LONGEST_ID)
        throw new DeliveryRefusedError('its id is no text of 1 to 256 characters', 400);
      const run = await to({ id, body: jsonOf(request.body), headers: request.headers });
      if (run === undefined) return new Response(null, { status: 204 });
      const runId = `${path}@${id}`;
      const { userId, message, sessionId = runId, by = { id: `trigger:${path}`, actsFor: userId } } = run;
      await sendOnce({ id: runId, userId, sessionId, message, by, channel: 'webhook' }, runner, fleet);
      return Response.json({ invocationId: runId }, { status: 202 });
    },
  };
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new DeliveryRefusedError('its body is not JSON', 400);
  }
}
