import { Event } from '@adorn/core';
import { HashEmbedder } from '@adorn/testing';

import { describeEachDatabase } from '../database/backends.fixture.js';
import { ADA, CapturingLogger, entry, said, sessionOf, textsOf } from './memory.fixture.js';
import { SqlMemoryService } from './sql-memory.service.js';

const HOSTILE = [
  "x') or 1=1--",
  "'; drop table adorn_memories; --",
  '"harbour',
  '" OR words : harbour OR "',
  'owner : *',
  'NEAR(harbour seven, 2)',
  'harbour AND NOT seven',
  '^harbour',
  'harb*',
  '{owner words} : harbour',
  'harbour | !seven',
  "harbour' & 'x:*",
  'harbour <-> seven \\',
  '$1 ? :name @name',
];

describeEachDatabase((_name, open) => {
  describe('S20', () => {
    it.each(HOSTILE)('%j is searched for as words and never as an expression', async (query) => {
      const memory = new SqlMemoryService(await open());
      await memory.addMemory(ADA, [entry('Of all else.'), entry('A or 1.'), entry(query)]);

      const found = await textsOf(memory, query);

      expect(found).toContain(query);
      expect(found).not.toContain('Of all else.');
    });

    it.each(HOSTILE)('%j is kept and given back as it is, wherever it is said', async (text) => {
      const memory = new SqlMemoryService(await open(), {
        embedder: new HashEmbedder({ name: text }),
        logger: new CapturingLogger(),
      });
      const scope = { appName: text, userId: text };
      const whole = entry(`harbour ${text}`, { author: text, sessionId: text, timestamp: 1 });
      const event = new Event({
        id: text,
        invocationId: text,
        author: text,
        timestamp: 2,
        content: whole.content,
      });

      await memory.addMemory(scope, [whole]);
      await memory.addEvents(scope, [event, event]);

      expect(await memory.searchMemory(scope, 'harbour')).toHaveLength(2);
      expect(await memory.searchMemory(scope, 'harbour')).toContainEqual(whole);
      expect(await memory.searchMemory(ADA, 'harbour')).toEqual([]);
    });
  });

  describe('S6', () => {
    const BOB = { ...ADA, userId: 'bob' };

    it.each([
      ['by words', undefined],
      ['by meaning', new HashEmbedder()],
    ])('no memory of another user, or of another application, is found %s', async (_how, embedder) => {
      const memory = new SqlMemoryService(await open(), { embedder, logger: new CapturingLogger() });
      await memory.addMemory(ADA, [entry("Ada's harbour.")]);
      await memory.addSessionToMemory(sessionOf([said("Ada's second harbour.")]));
      await memory.addMemory({ ...ADA, appName: 'other' }, [entry("The other's harbour.")]);

      for (const query of ['harbour', 'ada', 'harbours', '*', 'owner ada', "bob' or user_id = 'ada"]) {
        expect(await memory.searchMemory(BOB, query, { limit: 1_000, minScore: -1 })).toEqual([]);
      }
    });

    it('memories of others take no places in a ranking', async () => {
      const memory = new SqlMemoryService(await open());
      await memory.addMemory(BOB, [entry('Harbour and boats, and much else.')]);
      await memory.addMemory(
        ADA,
        Array.from({ length: 200 }, () => entry('Harbour.')),
      );

      expect(await memory.searchMemory(BOB, 'harbour', { limit: 1 })).toHaveLength(1);
    });

    it('names that run into each other are different owners', async () => {
      const memory = new SqlMemoryService(await open());
      await memory.addMemory({ appName: 'a', userId: 'b","c' }, [entry('Harbour.')]);

      expect(await memory.searchMemory({ appName: 'a","b', userId: 'c' }, 'harbour')).toEqual([]);
    });
  });

  describe('S19', () => {
    it('what looks like a class, or like a prototype, comes back as plain data', async () => {
      const memory = new SqlMemoryService(await open());
      const args = JSON.parse(
        '{"lc":1,"type":"constructor","id":["x"],"__proto__":{"polluted":true},"toJSON":"x","$date":"2020-01-01"}',
      ) as Record<string, unknown>;
      const content = { role: 'user', parts: [{ text: 'Harbour.' }, { functionCall: { name: 'f', args } }] };

      await memory.addMemory(ADA, [{ content, author: '{"lc":1}' }]);

      const [found] = await memory.searchMemory(ADA, 'harbour');
      expect(JSON.stringify(found)).toBe(JSON.stringify({ content, author: '{"lc":1}' }));
      const kept = found?.content.parts?.[1]?.functionCall?.args;
      expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
      expect('polluted' in {}).toBe(false);
    });
  });
});
