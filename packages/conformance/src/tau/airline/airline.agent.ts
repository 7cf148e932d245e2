import { agent, LlmAgent } from 'adorn';

import { AirlineTools } from './airline.tools.js';

/** The agent of the airline benchmark: all of its tools. */
@agent({
  name: 'airline_agent',
  description: 'Helps the customers of an airline with their reservations.',
  instruction: 'Help the customer with the tools.',
  tools: [AirlineTools],
})
export class AirlineAgent extends LlmAgent {}
