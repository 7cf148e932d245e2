import { serveMcp, type ServedPrompt, type ServedResource } from '@adorn/mcp';

import { fixtureTools, PIXEL } from './fixture-tools.js';

const resources: ServedResource[] = [
  {
    uri: 'test://static-text',
    name: 'Static text',
    description: 'A text.',
    mimeType: 'text/plain',
    read: () => 'This is the content of the static text resource.',
  },
  {
    uri: 'test://static-binary',
    name: 'Static binary',
    description: 'An image.',
    mimeType: 'image/png',
    read: () => Buffer.from(PIXEL, 'base64'),
  },
  {
    uri: 'test://watched-resource',
    name: 'Watched',
    description: 'A text that changes.',
    mimeType: 'text/plain',
    read: () => 'Watched.',
  },
  {
    uri: 'test://template/{id}/data',
    name: 'Template',
    description: 'Data by id.',
    mimeType: 'application/json',
    read: (_uri, { id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id ?? ''}` }),
  },
];

const prompts: ServedPrompt[] = [
  {
    name: 'test_simple_prompt',
    description: 'A prompt without arguments.',
    messages: () => 'This is a simple prompt for testing.',
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'A prompt with two arguments.',
    arguments: [
      { name: 'arg1', description: 'First.', required: true, complete: () => [] },
      { name: 'arg2', description: 'Second.', required: true },
    ],
    messages: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1 ?? ''}', arg2='${arg2 ?? ''}'`,
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt with a resource.',
    arguments: [{ name: 'resourceUri', description: 'Its URI.', required: true }],
    messages: ({ resourceUri: uri }) => [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
      },
      { role: 'user', content: 'Please process the embedded resource above.' },
    ],
  },
  {
    name: 'test_prompt_with_image',
    description: 'A prompt with an image.',
    messages: () => [
      { role: 'user', content: { type: 'image', data: PIXEL, mimeType: 'image/png' } },
      { role: 'user', content: 'Please analyze the image above.' },
    ],
  },
];

/** Serves what the scenarios for servers want, until it is disposed of. */
export function serveFixtures() {
  return serveMcp(fixtureTools(), { name: 'fixtures', http: {}, resources, prompts });
}
