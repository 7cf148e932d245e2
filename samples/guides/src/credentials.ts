import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { OfflineModel } from '@adorn/testing';
import {
  agent,
  createRunner,
  CredentialService,
  inject,
  LlmAgent,
  tool,
  type ToolContext,
  ToolError,
} from 'adorn';

class Parcels {
  constructor(@inject(CredentialService) private readonly credentials: CredentialService) {}

  /** Track a parcel. @param parcelId Number of the parcel, such as "P-17". */
  @tool({
    effect: 'read',
    auth: { scheme: { type: 'apiKey', in: 'header', name: 'x-api-key' }, key: 'carrier' },
  })
  async trackParcel(parcelId: string, context: ToolContext): Promise<unknown> {
    if (context.credential?.type !== 'apiKey') throw new ToolError('The carrier needs an API key.');
    const headers = { 'x-api-key': context.credential.apiKey };
    const response = await fetch(`${carrierUrl}/parcels/${parcelId}`, { headers, signal: context.signal });
    if (response.status === 401) {
      await this.credentials.delete(context, 'carrier');
      throw new ToolError('The carrier refused the key. The next call asks the user for another one.');
    }
    return response.json();
  }
}

/** Answers questions about parcels. */
@agent({ model: 'gemini-2.5-flash', tools: [Parcels] })
class Dispatch extends LlmAgent {}

// Stands for the API of a carrier.
const carrier = createServer((request, response) => {
  response.statusCode = request.headers['x-api-key'] === 'key-of-ada' ? 200 : 401;
  response.end(JSON.stringify({ place: 'Oslo', due: 'Tuesday' }));
});
await once(carrier.listen(0, '127.0.0.1'), 'listening');
const carrierUrl = `http://127.0.0.1:${String((carrier.address() as AddressInfo).port)}`;

const conversation = { userId: 'ada', sessionId: 'parcels' };
await using runner = await createRunner(Dispatch, { model: new OfflineModel() });
for (const key of ['an old key', 'key-of-ada']) {
  const { pending } = await runner.run({ ...conversation, message: 'Track parcel P-17' });
  for (const request of pending) {
    console.log(`asks for a ${request.kind}: ${request.tool}`);
    const { text } = await runner.supply(request, key);
    console.log(text);
  }
}
console.log(await runner.ask('Track parcel P-18', conversation));
carrier.close();
