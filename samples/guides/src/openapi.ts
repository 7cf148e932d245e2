import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { openApiToolset } from '@adorn/openapi';
import { OfflineModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent } from 'adorn';

// Stands for the API of a museum, and its description.
const museum = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify(request.method === 'GET' ? { opens: '09:00', closes: '18:00' } : { cancelled: true }),
  );
});
await once(museum.listen(0, '127.0.0.1'), 'listening');
const baseUrl = `http://127.0.0.1:${String((museum.address() as AddressInfo).port)}`;
const description = `
openapi: 3.1.0
info: { title: Museum, version: 1.0.0 }
paths:
  /hours/{day}:
    get:
      operationId: getMuseumHours
      summary: Opening hours of the museum on a day.
      parameters:
        - { name: day, in: path, required: true, schema: { enum: [monday, saturday, sunday] } }
  /tickets/{ticketId}:
    delete:
      operationId: cancelTicket
      summary: Cancel a ticket.
      parameters:
        - { name: ticketId, in: path, required: true, schema: { type: string, pattern: '^T-' } }
  /closing:
    post:
      operationId: closeMuseum
      summary: Close the museum for today.
`;

/** Answers questions of visitors. */
@agent({
  model: 'gemini-2.5-flash',
  tools: [openApiToolset(description, { baseUrl, except: ['closeMuseum'], retry: 3, timeout: 2_000 })],
})
class Desk extends LlmAgent {}

const conversation = { userId: 'ada', sessionId: 'visit' };
await using runner = await createRunner(Desk, { model: new OfflineModel() });
console.log(await runner.ask('What are the museum hours on saturday?', conversation));
const { pending } = await runner.run({ ...conversation, message: 'Cancel ticket T-17' });
for (const request of pending) {
  console.log(`asks for a ${request.kind}: ${request.tool}`);
  console.log((await runner.approve(request)).text);
}
museum.close();
