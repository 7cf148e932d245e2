import { setTimeout } from 'node:timers/promises';

import { Model, type ModelRequest, type ModelResponse } from '@adorn/core';
import { type LiveConnectOptions, LiveModel, type LiveSetup } from '@adorn/core/backend';
import {
  callsTool,
  callsTools,
  hears,
  says,
  ScriptedLive,
  type ScriptedStep,
  speaks,
  streams,
  untilAudio,
} from '@adorn/testing';

const REFUND = callsTool('refund', { orderId: 'A-17', cents: 3990, reason: 'damaged' });

/** What a model answers to a message, one step for each of its turns. */
export type MessageScript = Readonly<Record<string, readonly ScriptedStep[]>>;

const SCRIPT: MessageScript = {
  Hello: [streams('Hello! ', 'I can **find orders**, ', 'track parcels ', 'and make refunds.')],
  'Where is A-17?': [
    callsTools(
      { name: 'find_order', args: { orderId: 'A-17' } },
      { name: 'track_parcel', args: { orderId: 'A-17' } },
    ),
    streams(
      'Order `A-17` is on its way:\n\n',
      '- carrier: **DHL**\n',
      '- place: Berlin\n',
      '- expected: 27 November',
    ),
  ],
  'Refund A-17': [REFUND, says('That is settled.')],
  'Refund all of A-17': [callsTool('refund_all', { orderId: 'A-17' }), says('All of it is on its way.')],
  'Note that Ada prefers mail': [callsTool('note', { text: 'Prefers mail.' }), says('I have noted it.')],
  'Draw the parcel': [callsTool('draw_parcel'), says('There it is.')],
  'What is in my calendar?': [callsTool('read_calendar'), says('You are free on Friday.')],
  'Count the stock': [callsTool('count_stock'), says('Counted.')],
  'Register a customer': [callsTool('register'), says('The customer is registered.')],
  'Can I return it?': [
    callsTool('transfer_to_agent', { agent_name: 'returns' }),
    streams('You can return it ', 'within 30 days.'),
  ],
  'Ask the warehouse': [callsTool('break_down'), says('The warehouse cannot be reached now.')],
  Fail: [{ errorCode: 'SAFETY', errorMessage: 'The answer was blocked.' }],
  'Tell me a long story': [
    streams(...Array.from({ length: 60 }, (_, index) => `Sentence ${String(index + 1)} of the story. `)),
  ],
};

/** A live model that hears one sentence, and answers it, in each of its conversations. */
export class ShopLive extends LiveModel {
  override readonly name = 'scripted-live';
  override readonly capabilities = new ScriptedLive().capabilities;
  /** What the newest conversation is held with. */
  latest: ScriptedLive | undefined;

  override connect(setup: LiveSetup, options: LiveConnectOptions) {
    const script = [
      untilAudio(),
      hears('Where is my parcel?'),
      speaks('It is in Berlin, and arrives on Friday.'),
    ];
    this.latest = new ScriptedLive(...script);
    return this.latest.connect(setup, options);
  }
}

export const LIVE = new ShopLive();

/** A model that answers each message of the script by its steps, with pauses between the pieces. */
export class ShopModel extends Model {
  /** @param pause waits for some milliseconds; default: by a timer */
  constructor(
    private readonly script: MessageScript = SCRIPT,
    private readonly pause: (milliseconds: number, signal?: AbortSignal) => Promise<void> = (ms, signal) =>
      setTimeout(ms, undefined, { signal }),
  ) {
    super();
  }

  override readonly name = 'scripted';
  override get live(): LiveModel {
    return LIVE;
  }

  override async *generate(request: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    const { message, turn } = placeIn(request, this.script);
    const step = this.script[message]?.[turn] ?? says('I can only play my part.');
    const made = typeof step === 'function' ? await step(request) : step;
    const responses = Array.isArray(made) ? (made as readonly ModelResponse[]) : [made as ModelResponse];
    await this.pause(80, request.signal);
    for (const response of responses) {
      if (response.partial === true && !request.stream) continue;
      await this.pause(40, request.signal);
      const usageMetadata = { promptTokenCount: 412, candidatesTokenCount: 31, totalTokenCount: 443 };
      yield response.partial === true ? response : { usageMetadata, ...response };
    }
  }
}

/** The last message of the user, and how many turns the model has had since. */
function placeIn(
  { contents }: ModelRequest,
  script: MessageScript,
): { readonly message: string; readonly turn: number } {
  const last = contents.findLastIndex(
    ({ role, parts }) => role === 'user' && script[parts?.[0]?.text ?? ''] !== undefined,
  );
  const message = contents[last]?.parts?.[0]?.text ?? '';
  const since = contents.slice(last + 1);
  const answered = since.filter(({ parts = [] }) => parts.some((part) => part.functionCall !== undefined));
  const wasHandedOver = since.some(({ parts = [] }) =>
    parts.some(({ text = '' }) => text.includes('transfer_to_agent')),
  );
  return { message, turn: answered.length + (wasHandedOver ? 1 : 0) };
}
