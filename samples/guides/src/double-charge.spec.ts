import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { mcpToolset, serveMcp } from '@adorn/mcp';
import { serve } from '@adorn/server';
import { createAdornClient } from '@adorn/server/client';
import { sqlStorage } from '@adorn/storage';
import { callsTool, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';
import { createRunner, defineAgent, tool } from 'adorn';

const INVOICE = {
  type: 'object',
  properties: { invoice: { type: 'string' } },
  required: ['invoice'],
} as const;

/** How often each invoice was charged. */
const charged = new Map<string, number>();

class Bank {
  @tool({
    description: 'Charges an invoice.',
    effect: 'write',
    parameters: INVOICE,
    once: ({ invoice }) => invoice,
  })
  async charge({ invoice }: { invoice: string }): Promise<{ receipt: string }> {
    // The others ask while this one has not returned.
    await new Promise((resolve) => setImmediate(resolve));
    charged.set(invoice, (charged.get(invoice) ?? 0) + 1);
    return { receipt: `R-${invoice}-${String(charged.get(invoice))}` };
  }
}

/** Charges the invoice that the message names, in each turn. */
const step: ScriptedStep = ({ contents }) => {
  const [part] = contents.at(-1)?.parts ?? [];
  const [invoice = ''] = /I-\d/.exec(part?.text ?? '') ?? [];
  return part?.functionResponse ? says('It is charged.') : callsTool('charge', { invoice });
};

function model(): ScriptedModel {
  return new ScriptedModel(...Array.from({ length: 40 }, () => step));
}

describe('a double charge on a running server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-charge-'));
  const modules = [sqlStorage(join(folder, 'shop.db'))];
  const agents = { tools: [Bank], description: 'Charges.' };
  const Branch = defineAgent({ ...agents, name: 'branch', model: model() });
  const Desk = defineAgent({ ...agents, name: 'shop', model: model(), subAgents: [Branch] });
  const doors = async () => ({
    http: await serve(Desk, { port: 0, page: false, runner: { modules } }),
    mcp: await serveMcp(Bank, { name: 'shop', http: { port: 0 }, runner: { modules } }),
  });
  let open: Awaited<ReturnType<typeof doors>>;

  beforeAll(async () => (open = await doors()));
  afterAll(async () => {
    await open.http.close();
    await open.mcp.close();
    rmSync(folder, { recursive: true });
  });

  /** A message to the agent of the server. */
  async function say(invoice: string, turns = 1): Promise<void> {
    const client = createAdornClient(open.http.url, { token: open.http.token ?? '' });
    const chat = await client.createSession();
    for (let turn = 0; turn < turns; turn++) await chat.send(`Charge ${invoice}`);
  }

  /** A call of a form, in the name of one of the agents. */
  async function call(invoice: string, agent: string): Promise<string> {
    const client = createAdornClient(open.http.url, { token: open.http.token ?? '' });
    const { id } = await client.createSession();
    const headers = { authorization: `Bearer ${open.http.token ?? ''}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ tool: 'charge', args: { invoice }, agent });
    const path = `${open.http.url}/adorn/apps/shop/sessions/${id}/calls`;
    return (await fetch(path, { method: 'POST', headers, body })).text();
  }

  /** An agent of another machine, which has the tool over MCP. */
  async function overMcp(invoice: string): Promise<void> {
    const tools = [mcpToolset({ url: open.mcp.url ?? '' })];
    await using runner = await createRunner(defineAgent({ name: 'peer', model: model(), tools }));
    await runner.run({ message: `Charge ${invoice}` });
  }

  const KINDS: readonly [kind: string, ask: (invoice: string) => Promise<unknown>][] = [
    ['in two turns', (invoice) => say(invoice, 2)],
    ['in two sessions', (invoice) => Promise.all([say(invoice), say(invoice)])],
    ['by two agents', (invoice) => Promise.all([call(invoice, 'shop'), call(invoice, 'branch')])],
    ['by two clients of MCP', (invoice) => Promise.all([overMcp(invoice), overMcp(invoice)])],
    ['over MCP and HTTP', (invoice) => Promise.all([overMcp(invoice), say(invoice), call(invoice, 'shop')])],
  ];

  it('has one effect, asked for in two turns, two sessions, by two agents, over MCP and HTTP, all at once', async () => {
    await Promise.all(KINDS.map(([, ask], index) => ask(`I-${String(index)}`)));

    expect(KINDS.map(([kind], index) => [kind, charged.get(`I-${String(index)}`)])).toEqual(
      KINDS.map(([kind]) => [kind, 1]),
    );
  });
});
