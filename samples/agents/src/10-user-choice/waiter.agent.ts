import { agent, getUserChoice, LlmAgent } from 'adorn';

/** Takes orders. */
@agent({
  model: 'gemini-2.5-flash',
  instruction: 'Take the order. Let the user choose between the drinks that we have: tea, coffee, water.',
  tools: [getUserChoice()],
})
export class Waiter extends LlmAgent {}
