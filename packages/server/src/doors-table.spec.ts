import { agent, createRunner, LlmAgent, tool } from '@adorn/core';
import type { ApproverRule } from '@adorn/core/backend';

import { adornHandler } from './adorn-handler.js';
import { serve } from './serve.js';

const NONE = { type: 'object', properties: {} } as const;

class Payments {
  @tool({ description: 'Refund.', parameters: NONE, approvers: { role: 'manager', count: 2, of: 'books' } })
  refund(): void {
    // Only listed.
  }

  @tool({ description: 'Pay.', parameters: NONE, approvers: (): ApproverRule => 'others' })
  pay(): void {
    // Only listed.
  }

  @tool({ description: 'Delete.', parameters: NONE, effect: 'destructive' })
  deleteAccount(): void {
    // Only listed.
  }

  @tool({ description: 'Read.', parameters: NONE, effect: 'read' })
  read(): void {
    // Only listed.
  }
}

/** Pays. */
@agent({ model: null, description: 'Pays.', tools: [Payments] })
class Desk extends LlmAgent {}

describe('the table of doors in the log', () => {
  it('says whom each door lets in, and who answers what each tool asks', async () => {
    const told: string[] = [];
    const silent = () => undefined;
    const logger = {
      debug: silent,
      info: (text: string) => void told.push(text),
      warn: silent,
      error: silent,
    };
    await using runner = await createRunner(Desk);
    const authenticate = () => 'ada';
    await using server = await serve(runner, { port: 0, page: false, authenticate, logger });

    expect(server.doors).toEqual(told);
    const handler = await adornHandler(runner, { authenticate });
    expect(handler.doors).toEqual(told);
    await handler.close();
    expect(told.join('\n').split('\n')).toEqual([
      'who may do what in "desk"',
      expect.stringMatching(/^ {2}door {2,}for {2,}may$/),
      expect.stringMatching(
        /^ {2}\/run, .*useChat {2}whom authenticate names {2,}talk and answer in the own/,
      ),
      expect.stringMatching(/\/inbox {2,}whom authenticate names {2,}answer in all sessions/),
      expect.stringMatching(/graph {2,}a principal with isDeveloper {2}call tools, see the inside$/),
      expect.stringMatching(/^ {2}tool that asks {2,}is answered by$/),
      expect.stringMatching(/^ {2}refund {2,}2 with the role manager, of books$/),
      expect.stringMatching(/^ {2}pay {2,}decided for each call$/),
      expect.stringMatching(/^ {2}delete_account {2,}the requester$/),
    ]);
  });

  it('says that nobody but the holder of the token comes in, where there is one', async () => {
    await using runner = await createRunner(Desk);
    await using server = await serve(runner, { port: 0, page: false });

    expect(server.doors[0]).toContain('the holder of the token, as any user');
    expect(server.doors[0]).not.toContain('/a2a');
  });

  it('lists the endpoints, whose requests are signed', async () => {
    await using runner = await createRunner(Desk);
    const endpoint = { path: '/hooks/shop', receive: () => Promise.resolve(new Response()) };
    await using server = await serve(runner, { port: 0, page: false, endpoints: [endpoint] });

    expect(server.doors.join('\n')).toMatch(
      /\n {2}\/hooks\/shop +who signs its requests +begin runs and answer/,
    );
  });
});
