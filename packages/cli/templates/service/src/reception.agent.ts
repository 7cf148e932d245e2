import { agent, LlmAgent } from 'adorn';

import { Bookings } from './bookings.js';

/** Reception of a hotel. */
@agent({
  model: 'gemini-2.5-flash',
  tools: [Bookings],
  instruction: 'You are the reception of a hotel. Use the tools for every fact. Be brief.',
})
export class Reception extends LlmAgent {}
