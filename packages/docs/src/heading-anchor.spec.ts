import { headingAnchor } from './heading-anchor.js';

describe('headingAnchor', () => {
  it.each([
    ['npm start', 'npm-start'],
    ['What a `request` begins with', 'what-a-request-begins-with'],
    ['The agent: src/hello.agent.ts', 'the-agent-srchelloagentts'],
    ['Über uns, & more', 'über-uns--more'],
    ['snake_case and kebab-case', 'snake_case-and-kebab-case'],
  ])('makes of %p what GitHub makes of it', (heading, anchor) => {
    expect(headingAnchor(heading)).toBe(anchor);
  });
});
