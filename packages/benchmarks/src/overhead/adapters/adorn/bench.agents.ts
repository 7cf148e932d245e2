import { agent, LlmAgent } from 'adorn';

import type { Speaker } from '../../script.js';
import { Weather } from './weather.js';

export const SPEAKERS: readonly Speaker[] = ['root', 'sub', 'middle', 'leaf'];

/** What the models of the agents are bound as: each knows who speaks. */
export const MODELS = {
  root: Symbol('root model'),
  sub: Symbol('sub model'),
  middle: Symbol('middle model'),
  leaf: Symbol('leaf model'),
} as const satisfies Record<Speaker, symbol>;

const INSTRUCTION = 'You are a helpful weather agent.';

/** Answers by itself. */
@agent({ name: 'root', model: MODELS.root, instruction: INSTRUCTION, tools: [Weather] })
export class LoneAgent extends LlmAgent {}

/** Knows the weather. */
@agent({ name: 'sub', model: MODELS.sub, instruction: 'Answer.' })
export class SubAgent extends LlmAgent {}

/** Hands over to another. */
@agent({
  name: 'root',
  model: MODELS.root,
  instruction: INSTRUCTION,
  tools: [Weather],
  subAgents: [SubAgent],
})
export class HandingAgent extends LlmAgent {}

/** Answers the agent above. */
@agent({ name: 'leaf', model: MODELS.leaf, instruction: 'Answer.' })
class LeafAgent extends LlmAgent {}

/** Asks another, and answers the agent above. */
@agent({ name: 'middle', model: MODELS.middle, instruction: 'Answer.', tools: [LeafAgent] })
class MiddleAgent extends LlmAgent {}

/** Asks an agent that asks another. */
@agent({ name: 'root', model: MODELS.root, instruction: 'Answer.', tools: [MiddleAgent] })
export class NestingAgent extends LlmAgent {}
