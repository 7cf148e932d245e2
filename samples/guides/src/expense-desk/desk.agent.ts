import { agent, LlmAgent } from 'adorn';

import { Expenses } from './expenses.js';
import { Policy } from './policy.js';

/** Expense desk of a company. */
@agent({
  model: 'gemini-2.5-flash',
  tools: [Expenses, Policy],
  instruction: 'You are the expense desk. Be brief.',
})
export class Desk extends LlmAgent {}
