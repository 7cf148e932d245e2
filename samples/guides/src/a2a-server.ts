import { a2aHandler, fetchAgentCard, remoteAgent } from '@adorn/a2a';
import { serve } from '@adorn/server';
import { OfflineModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';
import { exportJWK, generateKeyPair } from 'jose';

class Refunds {
  /** Refunds an order. @param order Such as "A-17". */
  @tool({ confirm: 'Refund it?' })
  refund(order: string): { refunded: string } {
    return { refunded: order };
  }
}

/** Answers customers. */
@agent({ model: 'gemini-2.5-flash', tools: [Refunds] })
class Desk extends LlmAgent {}

const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
const signing = { privateKey: await exportJWK(privateKey), algorithm: 'ES256', keyId: 'desk-1' };

// The page, the HTTP routes and, at /a2a/desk, the same agent for peers, who have credentials of their own.
await using desk = await createRunner(Desk, { model: new OfflineModel() });
await using server = await serve(desk, {
  port: 0,
  a2a: (runner, place) =>
    a2aHandler(runner, {
      ...place,
      authenticate: ({ headers }) =>
        headers.get('authorization') === 'Bearer partner-key' ? 'partner' : undefined,
      extendedCard: { documentationUrl: 'https://agents.example.com/partners' },
      signing,
    }),
});

// A peer that accepts the card of this key only.
const headers = { authorization: 'Bearer partner-key' };
const card = await fetchAgentCard(`${server.url}/a2a/desk`, { publicKey: await exportJWK(publicKey) });
await using partner = await createRunner(remoteAgent(card, { headers }));
const { status } = await partner.run({ message: 'refund A-17', userId: 'ada', sessionId: 'order' });
console.log(card.name, status);
