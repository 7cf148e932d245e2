import type { Runner, Tool } from '@adorn/core';
import { AgentCard, type AgentSkill } from '@a2a-js/sdk';

import { MESSAGE_ID_EXTENSION } from '../protocol/parts.js';
import type { CardOptions } from './serve-options.js';

const MODES = ['text/plain', 'application/json'];

/** The card of an agent, from its class and its doc comments. @param isOpen true if no credential is needed */
export async function agentCardOf(
  runner: Runner<unknown>,
  {
    url,
    isOpen,
    isExtended,
    card = {},
  }: {
    readonly url: string;
    readonly isOpen: boolean;
    /** True if there is a card for authenticated principals. */
    readonly isExtended: boolean;
    readonly card?: CardOptions | undefined;
  },
): Promise<AgentCard> {
  const { name, description } = runner.root;
  const rest = `${url}/rest`;
  const bearer = { description: '', scheme: 'Bearer', bearerFormat: '' };
  return {
    ...{ name, description, version: card.version ?? '1.0.0', provider: card.provider },
    ...{ documentationUrl: card.documentationUrl, iconUrl: card.iconUrl },
    supportedInterfaces: [
      { url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' },
      { url: rest, protocolBinding: 'HTTP+JSON', tenant: '', protocolVersion: '1.0' },
      { url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '0.3' },
      { url: rest, protocolBinding: 'HTTP+JSON', tenant: '', protocolVersion: '0.3' },
    ],
    capabilities: {
      ...{ streaming: true, pushNotifications: true, extendedAgentCard: isExtended },
      extensions: [
        {
          uri: MESSAGE_ID_EXTENSION,
          description: 'A message that is sent again with its messageId begins no second task.',
          required: false,
          params: undefined,
        },
      ],
    },
    securitySchemes: isOpen ? {} : { bearer: { scheme: { $case: 'httpAuthSecurityScheme', value: bearer } } },
    securityRequirements: isOpen ? [] : [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
    skills: [...(card.skills ?? (await skillsOf(runner)))],
    signatures: [],
  };
}

async function skillsOf(runner: Runner<unknown>): Promise<AgentSkill[]> {
  const { root } = runner;
  const tools = root.isLlmAgent ? await runner.tools() : [];
  return [
    skill(root.name, root.description, 'agent'),
    ...root.subAgents.map(({ name, description }) => skill(`${root.name}/${name}`, description, 'agent')),
    ...tools.map(({ name, description }: Tool) => skill(`${root.name}.${name}`, description, 'tool')),
  ];
}

function skill(id: string, description: string, tag: string): AgentSkill {
  const name = id.slice(Math.max(id.lastIndexOf('/'), id.lastIndexOf('.')) + 1);
  const lists = { examples: [], inputModes: [], outputModes: [], securityRequirements: [] };
  return { id, name, description, tags: [tag], ...lists };
}

/** The card as a client of revision 1.0 reads it. */
export function cardJson(card: AgentCard): unknown {
  return AgentCard.toJSON(card);
}

/** The card as a client of revision 0.3 reads it, with the interfaces of 1.0 beside. */
export function legacyCardJson(card: AgentCard): unknown {
  const {
    supportedInterfaces,
    capabilities,
    skills,
    securitySchemes,
    securityRequirements: _1,
    signatures: _2,
    ...rest
  } = card;
  const { url = '' } = supportedInterfaces[0] ?? {};
  const additionalInterfaces = supportedInterfaces
    .filter(({ protocolVersion }) => protocolVersion === '0.3')
    .map((one) => ({ url: one.url, transport: one.protocolBinding }));
  const isOpen = Object.keys(securitySchemes).length === 0;
  return {
    ...rest,
    ...{ url, preferredTransport: 'JSONRPC', protocolVersion: '0.3.0' },
    ...{ additionalInterfaces, supportedInterfaces },
    capabilities: { streaming: true, pushNotifications: true, extensions: capabilities?.extensions ?? [] },
    skills: skills.map(({ id, name, description, tags }) => ({ id, name, description, tags })),
    supportsAuthenticatedExtendedCard: capabilities?.extendedAgentCard === true,
    ...(!isOpen && {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      security: [{ bearer: [] }],
    }),
  };
}
