import { agent, createRunner, LlmAgent } from '@adorn/core';
import { says, ScriptedModel } from '@adorn/testing';

import { MESSAGE_ID_EXTENSION } from '../protocol/parts.js';
import { agentCardOf, cardJson, legacyCardJson } from './agent-card.js';
import { Desk } from './desk.fixture.js';

@agent({ name: 'hotel', description: 'Runs a hotel.', subAgents: [Desk] })
class Hotel extends LlmAgent {}

const url = 'https://agents.example.com/hotel';

async function cardFor(more: Partial<Parameters<typeof agentCardOf>[1]> = {}) {
  await using runner = await createRunner(Hotel, { model: new ScriptedModel(says('Hello.')) });
  return await agentCardOf(runner, { url, isOpen: true, isExtended: false, ...more });
}

describe('the card of an agent', () => {
  it('names its interfaces, its skills and the extension of messages', async () => {
    const card = await cardFor();

    expect(card).toMatchObject({ name: 'hotel', description: 'Runs a hotel.', version: '1.0.0' });
    expect(
      card.supportedInterfaces.map(({ url, protocolBinding, protocolVersion }) => [
        url,
        protocolBinding,
        protocolVersion,
      ]),
    ).toEqual([
      [url, 'JSONRPC', '1.0'],
      [`${url}/rest`, 'HTTP+JSON', '1.0'],
      [url, 'JSONRPC', '0.3'],
      [`${url}/rest`, 'HTTP+JSON', '0.3'],
    ]);
    expect(card.skills.map(({ id, name, description, tags }) => [id, name, description, tags])).toEqual([
      ['hotel', 'hotel', 'Runs a hotel.', ['agent']],
      ['hotel/desk', 'desk', 'Answers customers.', ['agent']],
    ]);
    expect(card.capabilities).toMatchObject({
      streaming: true,
      pushNotifications: true,
      extendedAgentCard: false,
    });
    expect(card.capabilities?.extensions).toMatchObject([{ uri: MESSAGE_ID_EXTENSION, required: false }]);
    expect([card.defaultInputModes, card.defaultOutputModes]).toEqual([
      ['text/plain', 'application/json'],
      ['text/plain', 'application/json'],
    ]);
    expect([card.securitySchemes, card.securityRequirements]).toEqual([{}, []]);
  });

  it('says what its options say', async () => {
    const provider = { organization: 'Hotels', url: 'https://hotels.example.com' };
    const [first] = (await cardFor()).skills;
    const skills = first ? [{ ...first, id: 'rooms' }] : [];
    const about = { version: '2.1.0', provider, documentationUrl: 'https://a', iconUrl: 'https://b' };

    expect(await cardFor({ card: { ...about, skills }, isExtended: true })).toMatchObject({
      ...about,
      skills: [{ id: 'rooms' }],
      capabilities: { extendedAgentCard: true },
    });
  });

  it('asks for a bearer token in both revisions, if one is needed', async () => {
    const card = await cardFor({ isOpen: false, isExtended: true });

    expect(cardJson(card)).toMatchObject({
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
      securityRequirements: [{ schemes: { bearer: {} } }],
    });
    expect(legacyCardJson(card)).toMatchObject({
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      security: [{ bearer: [] }],
      supportsAuthenticatedExtendedCard: true,
    });
  });

  it('is read by clients of revision 0.3', async () => {
    const card = legacyCardJson(await cardFor()) as Readonly<Record<string, unknown>>;

    expect(card).toMatchObject({
      ...{ name: 'hotel', description: 'Runs a hotel.', version: '1.0.0' },
      ...{ url, preferredTransport: 'JSONRPC', protocolVersion: '0.3.0' },
      additionalInterfaces: [
        { url, transport: 'JSONRPC' },
        { url: `${url}/rest`, transport: 'HTTP+JSON' },
      ],
      capabilities: { streaming: true, pushNotifications: true, extensions: [{ uri: MESSAGE_ID_EXTENSION }] },
      supportsAuthenticatedExtendedCard: false,
    });
    expect((card['skills'] as object[])[1]).toEqual({
      ...{ id: 'hotel/desk', name: 'desk', description: 'Answers customers.', tags: ['agent'] },
    });
    for (const name of ['security', 'securitySchemes', 'securityRequirements', 'signatures'])
      expect(card).not.toHaveProperty(name);
  });

  it('names no interface of revision 1.0 to clients of 0.3 that do not know it', async () => {
    const card = await cardFor();
    const [first] = card.supportedInterfaces;
    const at = (place: string, protocolVersion: string) =>
      first ? [{ ...first, url: place, protocolVersion }] : [];
    const supportedInterfaces = [...at('https://new', '1.0'), ...at('https://old', '0.3')];

    expect(legacyCardJson({ ...card, supportedInterfaces })).toMatchObject({
      additionalInterfaces: [{ url: 'https://old', transport: 'JSONRPC' }],
    });
  });
});
