import type { Part as AgentPart } from '@adorn/core';
import type { Message, Part } from '@a2a-js/sdk';

import {
  dataOf,
  dataPart,
  fromPeerPart,
  fromPeerParts,
  textOf,
  textPart,
  toPeerPart,
  toPeerParts,
} from './parts.js';

const data = Buffer.from('bytes').toString('base64');

describe('parts of a message', () => {
  it.each<AgentPart>([
    { text: 'hello' },
    { inlineData: { data, mimeType: 'text/csv', displayName: 'a.csv' } },
    { fileData: { fileUri: 'https://files.example.com/a', mimeType: 'image/png', displayName: 'a.png' } },
  ])('come back from a peer as they went: %j', (part) => {
    const sent = toPeerPart(part);

    expect(sent && fromPeerPart(sent)).toEqual(part);
  });

  it('have the types and names of the protocol', () => {
    const file = toPeerPart({ inlineData: { data } });
    const link = toPeerPart({ fileData: { fileUri: 'https://files.example.com/a' } });

    expect(toPeerPart({ text: 'a' })).toMatchObject({ mediaType: 'text/plain', filename: '' });
    expect(dataPart({ a: 1 })).toMatchObject({ mediaType: 'application/json', filename: '' });
    expect(file).toMatchObject({
      content: { $case: 'raw', value: Buffer.from('bytes') },
      mediaType: 'application/octet-stream',
      filename: '',
    });
    expect(link).toMatchObject({
      content: { $case: 'url', value: 'https://files.example.com/a' },
      mediaType: 'application/octet-stream',
      filename: '',
    });
  });

  it.each<AgentPart>([
    { text: 'I think', thought: true },
    { inlineData: { data }, thought: true },
    { text: '' },
    { functionCall: { id: 'c1', name: 'pay', args: {} } },
    { functionResponse: { id: 'c1', name: 'pay', response: {} } },
    { inlineData: { mimeType: 'image/png' } },
    { fileData: { mimeType: 'image/png' } },
    { executableCode: { code: '1' } },
  ])('are not for peers: %j', (part) => {
    expect(toPeerPart(part)).toBeUndefined();
    expect(toPeerParts([part, { text: 'told' }])).toEqual([textPart('told')]);
  });

  it.each<[Part['content'], AgentPart | undefined]>([
    [{ $case: 'text', value: '' }, undefined],
    [
      { $case: 'data', value: { functionCall: { name: 'pay' } } },
      { text: '{"functionCall":{"name":"pay"}}' },
    ],
    [{ $case: 'data', value: undefined }, { text: 'null' }],
    [
      { $case: 'raw', value: Buffer.from('bytes') },
      { inlineData: { data, mimeType: 'application/octet-stream' } },
    ],
    [{ $case: 'url', value: 'x:y' }, { fileData: { fileUri: 'x:y', mimeType: 'application/octet-stream' } }],
    [undefined, undefined],
  ])('of a peer: %j', (content, part) => {
    expect(fromPeerPart({ content, metadata: undefined, filename: '', mediaType: '' })).toEqual(part);
  });

  it('are none where there is no content', () => {
    expect([toPeerParts(), fromPeerParts(), textOf(undefined), dataOf(undefined)]).toEqual([
      [],
      [],
      '',
      undefined,
    ]);
  });

  it('are text together, and data by its first part', () => {
    const parts = [textPart('a'), dataPart(undefined), textPart('b'), dataPart(2)];
    const message = { parts } as Message;

    expect([textOf(message), dataOf(message)]).toEqual(['ab', undefined]);
    expect(dataOf({ parts: [textPart('a'), dataPart({ b: 1 }), dataPart(2)] } as Message)).toEqual({ b: 1 });
  });
});
