import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { OfflineModel } from '@adorn/testing';
import { createRunner } from 'adorn';

import { Desk } from './desk.agent.js';
import { People } from './people.js';
import { openServer } from './server.js';
import { SignInSessions } from './sessions.js';
import { Visitor } from './visitor.js';

const people = new People();
await people.add('ada', 'analytical engine');
await people.add('mia', 'mind the gap', ['lead']);
await using runner = await createRunner(Desk, { model: new OfflineModel() });
const server = (await openServer(runner, people, new SignInSessions(false))).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;

const ada = new Visitor(url);
const mia = new Visitor(url);
console.log('Ada opens the studio:', await ada.open('/studio/?app=desk'));
console.log('her page calls the agents:', (await ada.call('/sessions')).body);
console.log('she mistypes her password:', await ada.signIn('ada', 'analytic engine'));
console.log(
  'she signs in:',
  await ada.submit('/login?next=%2Fstudio%2F%3Fapp%3Ddesk', { name: 'ada', password: 'analytical engine' }),
);
console.log('and is in the studio:', await ada.open('/studio/?app=desk'));

await ada.call('/sessions', { id: 's1' });
await ada.call('/sessions/s1/runs', { message: 'Refund A-17' });
console.log('Mia signs in:', await mia.signIn('mia', 'mind the gap'));
const { requests } = JSON.parse((await mia.call('/inbox')).body) as {
  requests: { id: string; hint: string }[];
};
const [{ id, hint } = { id: '', hint: 'nothing waits' }] = requests;
console.log('she is asked:', hint);
const answer = `/sessions/s1/requests/${encodeURIComponent(id)}?user=ada`;

people.setRoles('mia', []);
console.log('without her role she may not answer:', (await mia.call(answer, { decision: 'approve' })).status);
people.setRoles('mia', ['lead']);
console.log('with it she may:', (await mia.call(answer, { decision: 'approve' })).status);

const stolen = new Map(mia.cookies);
console.log('she signs out:', await mia.submit('/logout', {}));
for (const [name, value] of stolen) mia.cookies.set(name, value);
console.log('and her cookie opens nothing any more:', (await mia.call('/inbox')).status);
server.close();
