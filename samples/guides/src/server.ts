import { serve } from '@adorn/server';
import { createAdornClient, type Frame } from '@adorn/server/client';
import { OfflineModel } from '@adorn/testing';
import { agent, LlmAgent, tool } from 'adorn';

class Orders {
  /** Refund an order. @param orderId Order number, such as "A-17". */
  @tool({ effect: 'write', confirm: 'Refund this order?' })
  refundOrder(orderId: string): { refunded: string } {
    return { refunded: orderId };
  }
}

/** Service desk of a shop. */
@agent({ model: 'gemini-2.5-flash', tools: [Orders] })
class Desk extends LlmAgent {}

const server = await serve(Desk, { port: 0, runner: { model: new OfflineModel() } });

const client = createAdornClient(server.url, { token: server.token ?? '' });
const chat = await client.createSession();
for await (const frame of chat.send('Refund order A-17')) print(frame);
const [request] = await chat.pending();
if (request !== undefined) for await (const frame of chat.approve(request)) print(frame);
await server.close();

function print(frame: Frame): void {
  if (frame.kind === 'text' && frame.partial !== true) console.log('text:', frame.text);
  if (frame.kind === 'call') console.log('call:', frame.tool, frame.args);
  if (frame.kind === 'request') console.log('request:', frame.request.hint);
  if (frame.kind === 'end') console.log('end:', frame.status);
}
