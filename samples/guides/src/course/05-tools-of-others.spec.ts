import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { openApiToolset } from '@adorn/openapi';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent } from 'adorn';

import { expectPicture, sceneOf } from './picture.fixture.js';

const DESCRIPTION = `
openapi: 3.1.0
info: { title: Catalogue, version: 1.0.0 }
paths:
  /books/{id}:
    get:
      operationId: findBook
      summary: Find a book.
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    put:
      operationId: moveBook
      summary: Move a book to another shelf.
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
  /books:
    delete:
      operationId: deleteAll
      summary: Delete the catalogue.
`;

it('hides what nobody may call, and asks before it writes', async () => {
  const requests: string[] = [];
  const catalogue = createServer(({ method, url }, response) => {
    requests.push(`${String(method)} ${String(url)}`);
    response.setHeader('content-type', 'application/json').end('{"shelf":"A3"}');
  });
  await once(catalogue.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${String((catalogue.address() as AddressInfo).port)}`;

  const model = new ScriptedModel(
    callsTool('delete_all'),
    callsTool('find_book', { id: 'B1' }),
    callsTool('move_book', { id: 'B1' }),
    says('Moved.'),
  );
  const books = openApiToolset(DESCRIPTION, {
    baseUrl,
    only: ['findBook', 'moveBook'],
    confirm: ({ method }) => method !== 'GET',
  });
  const Clerk = defineAgent({ name: 'clerk', description: 'Keeps the catalogue.', model, tools: [books] });
  await using runner = await createRunner(Clerk);

  const { pending } = await runner.run({ userId: 'ada', message: 'Clean up.' });
  expect(requests).toEqual(['GET /books/B1']);
  await runner.approve(pending[0]!);
  expect(requests).toEqual(['GET /books/B1', 'PUT /books/B1']);
  catalogue.close();
  await expectPicture('05-tools-of-others', await sceneOf(runner));
});
