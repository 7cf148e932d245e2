import { serve } from '@adorn/server';
import { type AdornClientError, createAdornClient } from '@adorn/server/client';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

class Payments {
  /**
   * Pay a bill.
   * @param bill its number
   */
  @tool({ effect: 'destructive', approvers: { role: 'manager' } })
  pay(bill: string): { paid: string } {
    return { paid: bill };
  }
}

/** Pays bills. */
@agent({ model: 'gemini-2.5-flash', tools: [Payments] })
class Desk extends LlmAgent {}

interface Member {
  readonly name: string;
  readonly tenant: string;
  readonly roles?: readonly string[];
}

/** In an application, what the session cookie or a verified token says. */
const MEMBERS: Readonly<Record<string, Member>> = {
  'token-1': { name: 'ada', tenant: 'acme' },
  'token-2': { name: 'mia', tenant: 'acme', roles: ['manager'] },
  'token-3': { name: 'ada', tenant: 'globex', roles: ['manager'] },
};

/** A user id of its own for each member of each tenant: two tenants may have an Ada. */
function authenticate({ headers }: Request) {
  const member = MEMBERS[headers.get('x-token') ?? ''];
  if (member === undefined) return undefined;
  const { name, tenant, roles = [] } = member;
  return { id: `${tenant}.${name}`, tenant, roles };
}

const model = new ScriptedModel(callsTool('pay', { bill: 'B-7' }), says('Paid.'));
await using runner = await createRunner(Desk, { model });
await using server = await serve(runner, { port: 0, page: false, authenticate });

const clientOf = (token: string) => createAdornClient(server.url, { headers: { 'x-token': token } });
const ada = clientOf('token-1');
const mia = clientOf('token-2');
const otherAda = clientOf('token-3');

const chat = await ada.createSession();
console.log('Ada of acme:', (await chat.send('Pay bill B-7.')).status);

const { requests } = await otherAda.inbox();
console.log('Ada of globex:', (await otherAda.sessions()).length, 'sessions,', requests.length, 'requests');

const [request] = (await mia.inbox()).requests;
if (request) {
  const refused: unknown = await otherAda
    .sessionOf(request)
    .approve(request)
    .then(undefined, (error: unknown) => error);
  console.log('Ada of globex approves:', (refused as AdornClientError).status);
  console.log('Mia of acme approves:', (await mia.sessionOf(request).approve(request)).status);
}
