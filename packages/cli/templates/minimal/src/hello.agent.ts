import { agent, LlmAgent, tool } from 'adorn';

export class Dice {
  /** Roll a die. @param sides How many sides it has. */
  @tool roll(sides: number): number {
    return 1 + Math.floor(Math.random() * sides);
  }
}

/** Rolls dice. */
@agent({ model: 'gemini-2.5-flash', tools: [Dice] })
export class Hello extends LlmAgent {}
