import type { UserPersona } from '../eval-set.js';

/** Personas that files name by their ids, as ADK does. The descriptions are Adorn's. */
export const PERSONAS: Readonly<Record<string, UserPersona>> = Object.freeze({
  EXPERT: {
    id: 'EXPERT',
    description:
      'You know the subject well. You give all details at once, in its own terms, and correct the agent where it is wrong.',
  },
  NOVICE: {
    id: 'NOVICE',
    description:
      'You know little of the subject. You use everyday words, give one detail at a time and only if you are asked, and ask back what you do not understand.',
  },
  EVALUATOR: {
    id: 'EVALUATOR',
    description:
      'You test the agent. You follow your plan step by step, answer what you are asked, volunteer nothing, and do not help the agent.',
  },
});
