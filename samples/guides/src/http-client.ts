import type { Event } from 'adorn';

import './http-endpoint.js';

const url = `http://127.0.0.1:${process.env['PORT'] ?? '8080'}/sessions/s1/messages`;
const signal = AbortSignal.timeout(30_000);
console.log('without a token:', (await post('Find order A-17', { token: '' })).status);
await print(await post('Find order A-17', { token: 'token-of-ada' }));

const leaving = new AbortController();
const counting = await post('Recount the stock', { token: 'token-of-ada', signal: leaving.signal });
for await (const _bytes of counting.body ?? []) break;
leaving.abort();
await print(await post('Find order A-18', { token: 'token-of-ada' }));

process.kill(process.pid, 'SIGTERM');

function post(message: string, { token, signal: ends = signal }: { token: string; signal?: AbortSignal }) {
  return fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ message }),
    signal: ends,
  });
}

/** The texts of the agent, and the results of its tools. */
async function print(response: Response): Promise<void> {
  for (const line of (await response.text()).split('\n\n').filter((text) => text !== '')) {
    const { content, partial } = JSON.parse(line.replace('data: ', '')) as EventJson;
    for (const { text, functionResponse } of (partial !== true && content?.parts) || []) {
      console.log(text ?? functionResponse?.response ?? '(a call)');
    }
  }
}

type EventJson = Partial<Pick<Event, 'content' | 'partial'>>;
