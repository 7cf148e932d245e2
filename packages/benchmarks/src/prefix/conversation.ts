/** What the agents of a conversation are told: a few hundred tokens. */
export const RULES = 'You work in a house of many rooms. Be exact, be short, be kind. '.repeat(60);

export const TURNS = 30;

export const TOOLS = 40;

export const OTHERS = ['billing', 'garden', 'kitchen'];

/** What the tools are declared with, beside their names. */
export const LOOK = {
  description: 'Looks for what is asked for in the store of the house. '.repeat(4),
  parameters: { type: 'object', properties: { q: { type: 'string', description: 'Words.' } } },
} as const;

export const RESULT = 'row of the table '.repeat(40);

export function questionOf(turn: number): string {
  return `Question ${String(turn)}: what is in room ${String(turn)}, and who works there?`;
}
