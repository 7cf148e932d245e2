import { callsLive, ScriptedLive, untilText } from '@adorn/testing';

import { isCallAsker } from '../../../core/src/events/call-asker.js';
import { liveSessions } from '../live-sessions.module.js';
import { until } from './live.fixture.js';
import {
  ADDRESS,
  type Kind,
  KINDS,
  openRunner,
  type Place,
  PLACES,
  Scene,
} from '../../../core/src/gates/questions.fixture.js';

const PLACES_IN_LIVE = [
  'tool.validate',
  'plugin.checkTool',
  'tool.confirmation',
  'agent.beforeTool',
  'tool.run',
  'plugin.onToolError',
  'plugin.afterTool',
  'guardrail.checkResult',
] as const satisfies readonly Place[];

describe('a question of a function of a call, in a live session', () => {
  const cells = PLACES_IN_LIVE.flatMap((place) =>
    (['plain', 'gated', 'background'] as const).flatMap((kind) =>
      (['confirmation', 'input'] as const).flatMap((manner) =>
        (['yes', 'no'] as const).map((say) => [place, kind, manner, say] as const),
      ),
    ),
  );

  it.each(cells)(
    '%s, %s, %s, %s: the tool takes effect at most once, and its call has one response',
    async (...cell) => {
      const [place, kind, manner, say] = cell;
      const scene = new Scene(place, manner, KINDS[kind as Kind]);
      await using runner = await openRunner(scene, [liveSessions]);
      const model = new ScriptedLive(untilText(), callsLive('pay', {}, 'pay-1'));
      const live = runner.live({ ...ADDRESS, model });
      live.sendText('Pay.');

      for (let isOver = false; !isOver;) {
        const events = await until(live, ({ functionResponses }) =>
          functionResponses.some(({ id, response }) => id === 'pay-1' && response?.['status'] !== 'running'),
        );
        const request = (await runner.pending(ADDRESS)).at(0);
        isOver = request === undefined && events.length > 0;
        if (request === undefined) continue;
        const isNo = say === 'no' && isCallAsker(request.askedBy);
        if (isNo) await live.reject(request);
        else if (request.kind === 'input') await live.supply(request, 'because');
        else await live.approve(request);
      }
      await live.close();

      const responses = (await scene.events(runner)).flatMap(({ functionResponses }) =>
        functionResponses.filter(({ id, willContinue }) => id === 'pay-1' && willContinue !== true),
      );
      const isRefusedBefore = say === 'no' && PLACES[place] !== 'after';
      expect([scene.paid, responses.length]).toEqual([isRefusedBefore ? 0 : 1, 1]);
      const told = JSON.stringify(responses);
      if (say === 'no') expect(told).toMatch(PLACES[place] === 'after' ? /has run/ : /rejected by the user/);
      else expect(scene.answers.at(-1)).toBe(manner === 'input' ? 'because' : true);
    },
  );
});
