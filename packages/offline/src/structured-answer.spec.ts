import { simplify } from './simple-schema.js';
import { structuredAnswer } from './structured-answer.js';

it('fills an answer from what was said, and where nothing was said with the least that is valid', () => {
  const schema = simplify({
    type: 'object',
    properties: {
      city: { type: 'string' },
      mood: { enum: ['calm', 'angry'] },
      stars: { type: 'integer', minimum: 1 },
      tags: { type: 'array', items: { type: 'string' } },
      note: { type: 'string' },
    },
    required: ['city', 'mood', 'stars', 'tags'],
  });
  const conversation = {
    request: ['I am angry about Oslo'],
    earlier: [],
    answers: [],
    wasTransferred: false,
    isFirstAnswer: true,
  };

  expect(structuredAnswer(schema, conversation)).toEqual({ city: 'Oslo', mood: 'angry', stars: 1, tags: [] });
});
