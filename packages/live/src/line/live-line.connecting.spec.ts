import { drops, isResumable, refuses, ScriptedLive } from '@adorn/testing';

import { LiveNotSupportedError, type LiveSetup } from '@adorn/core/backend';
import { CLERK, LineWorld, settled, setupWith } from './live-line.fixture.js';

const DOWN = new Error('The provider is down.');

/** Milliseconds between the attempts to connect that follow. */
const WAITS = [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000];

describe('the first connection of a live line', () => {
  it('is opened with the setup of the agent, the limits of the session, and shown', async () => {
    const model = new ScriptedLive();
    const connect = jest.spyOn(model, 'connect');
    const world = new LineWorld({ connectTimeout: 1_234 });

    await expect(world.connect(model)).resolves.toBe('new');

    const { line, cancellation, logger } = world;
    expect(connect).toHaveBeenCalledWith(
      { ...setupWith(), resume: undefined },
      { signal: cancellation.signal, timeout: 1_234, logger },
    );
    expect([line.connections, line.generation, line.handles, line.resumedFrom]).toEqual([1, 1, 0, 0]);
    expect(line.capabilities).toBe(model.capabilities);
    const [event] = await world.shown();
    expect(event).toMatchObject({ author: 'clerk', partial: true });
    expect(event?.live).toEqual({ kind: 'connected', model: 'scripted-live', resumed: false });
  });

  it('makes the model known', async () => {
    const { line } = await LineWorld.connected();

    await expect(line.known).resolves.toBeUndefined();
  });

  it('is not tried again if it fails', async () => {
    const world = new LineWorld();
    const model = new ScriptedLive(...refuses(DOWN));

    await expect(world.connect(model)).rejects.toBe(DOWN);
    expect([world.clock.waiting, world.logger.warnings, model.connections]).toEqual([0, [], []]);
  });

  it('continues an earlier session by its handle', async () => {
    const world = new LineWorld({ resume: 'old' });
    const model = new ScriptedLive();

    await expect(world.connect(model)).resolves.toBe('resumed');
    expect(model.connection.setup.resume).toBe('old');
    expect([world.line.connections, world.line.generation]).toEqual([1, 0]);
    expect(world.line.resumptionHandle).toBe('old');
    expect(await world.news()).toEqual([{ kind: 'connected', model: 'scripted-live', resumed: true }]);
  });

  it('forgets the handle of an earlier session that is refused, and is tried once more', async () => {
    const world = new LineWorld({ resume: 'old' });
    const model = new ScriptedLive(...refuses(DOWN));
    const opening = world.connect(model);
    await settled();
    await world.clock.advance(250);

    await expect(opening).resolves.toBe('new');
    expect(model.connection.setup.resume).toBeUndefined();
    expect(world.line.resumptionHandle).toBeUndefined();
    expect(world.logger.warnings).toEqual([
      [
        'a live connection could not be opened; it is tried again',
        { model: 'scripted-live', error: 'The provider is down.' },
      ],
    ]);
  });

  it('is not tried again without the handle of an earlier session by a model that cannot resume', async () => {
    const world = new LineWorld({ resume: 'old' });

    await expect(world.connect(ScriptedLive.able({ resumes: false }))).rejects.toBeInstanceOf(
      LiveNotSupportedError,
    );
    expect(world.clock.waiting).toBe(0);
  });

  it('is checked against what the model can do before it is opened', async () => {
    const model = ScriptedLive.able({ voices: false });

    await expect(new LineWorld().connect(model, { voice: 'Kore' })).rejects.toThrow('no choice of a voice');
    expect(model.connections).toEqual([]);
  });
});

describe('a live line whose connection was lost', () => {
  it('is continued by the newest handle, and notes which one that was', async () => {
    const world = await LineWorld.resumable();
    world.model.connection.emit(isResumable('h2'), drops());
    await settled();

    await expect(world.connect(world.model)).resolves.toBe('resumed');
    expect(world.model.connection.setup.resume).toBe('h2');
    const { line } = world;
    expect([line.connections, line.generation, line.handles, line.resumedFrom]).toEqual([2, 1, 2, 2]);
    expect((await world.news()).at(-1)).toMatchObject({ kind: 'connected', resumed: true });
  });

  it('begins a generation without a handle', async () => {
    const world = await LineWorld.connected();
    world.model.connection.emit(drops());
    await settled();

    await expect(world.connect(world.model)).resolves.toBe('new');
    expect([world.line.connections, world.line.generation, world.line.resumedFrom]).toEqual([2, 2, 0]);
  });

  it('passes no handle to a model that cannot resume', async () => {
    const world = await LineWorld.resumable(ScriptedLive.able({ resumes: false }));
    world.model.connection.emit(drops());
    await settled();

    await expect(world.connect(world.model)).resolves.toBe('new');
    expect(world.model.connection.setup.resume).toBeUndefined();
    expect(world.line.resumptionHandle).toBeUndefined();
  });

  it('tries the handle twice, and then begins anew', async () => {
    const world = await LineWorld.connected(
      new ScriptedLive(isResumable('h1'), drops(), ...refuses(DOWN, 2)),
    );
    await settled();
    const connect = jest.spyOn(world.model, 'connect');
    const opening = world.connect(world.model);
    await settled();
    await world.clock.advance(250);
    await world.clock.advance(500);

    await expect(opening).resolves.toBe('new');
    expect(connect.mock.calls.map(([{ resume }]) => resume)).toEqual(['h1', 'h1', undefined]);
  });

  it('keeps the handle for the second attempt', async () => {
    const world = await LineWorld.connected(new ScriptedLive(isResumable('h1'), drops(), ...refuses(DOWN)));
    await settled();
    const opening = world.connect(world.model);
    await settled();
    await world.clock.advance(250);

    await expect(opening).resolves.toBe('resumed');
    expect(world.model.connection.setup.resume).toBe('h1');
  });

  it('waits twice as long after each attempt, at most five seconds, and makes a setup for each', async () => {
    const world = await LineWorld.connected(new ScriptedLive(drops(), ...refuses(DOWN, WAITS.length)));
    const setups: string[] = [];
    const setupOf = (): Promise<Omit<LiveSetup, 'resume'>> => {
      setups.push(String(setups.length + 1));
      return Promise.resolve(setupWith({ instruction: setups.at(-1) ?? '' }));
    };
    await settled();
    const opening = world.line.connect(world.model, CLERK, setupOf);
    await settled();
    const attempts: number[][] = [];
    for (const wait of WAITS) {
      await world.clock.advance(wait - 1);
      const before = setups.length;
      await world.clock.advance(1);
      attempts.push([before, setups.length]);
    }

    await expect(opening).resolves.toBe('new');
    expect(attempts).toEqual(WAITS.map((_, index) => [index + 1, index + 2]));
    expect(world.model.connection.setup.instruction).toBe('8');
    expect(world.logger.warnings).toHaveLength(WAITS.length);
  });

  it.each([
    [750, 'new'],
    [749, 'failed'],
  ])(
    'is given up where the next attempt comes after the limit: %p ms, %s',
    async (reconnectLimit, expected) => {
      const world = await LineWorld.connected(new ScriptedLive(drops(), ...refuses(DOWN, 2)), {
        reconnectLimit,
      });
      await settled();
      const opening = world.connect(world.model).catch(() => 'failed');
      await settled();
      await world.clock.advance(250);
      await world.clock.advance(500);

      await expect(opening).resolves.toBe(expected);
      expect(world.clock.waiting).toBe(0);
    },
  );

  it.each<[string, (world: LineWorld) => void]>([
    [
      'the session is closed',
      ({ line }) => {
        line.close();
      },
    ],
    [
      'the line hangs up',
      ({ line }) => {
        line.hangUp();
      },
    ],
  ])('is not opened again once %s', async (_what, end) => {
    const world = await LineWorld.connected(new ScriptedLive(drops(), ...refuses(DOWN)));
    await settled();
    const opening = world.connect(world.model);
    end(world);

    await expect(opening).rejects.toBe(DOWN);
    expect(world.clock.waiting).toBe(0);
  });

  it('is not waited for after a cancellation', async () => {
    const world = await LineWorld.connected(new ScriptedLive(drops(), ...refuses(DOWN)));
    await settled();
    const opening = world.connect(world.model);
    await settled();
    expect(world.clock.waiting).toBe(1);
    world.cancellation.cancel();

    await expect(opening).rejects.toBe(DOWN);
    expect([world.clock.waiting, world.model.connections.length]).toEqual([0, 1]);
  });

  it('says why, and has the agent connect again', async () => {
    const world = await LineWorld.connected();
    world.model.connection.emit(drops('no route'));
    await settled();

    expect(world.line.signals.isConnected).toBe(false);
    expect((await world.news()).at(-1)).toEqual({ kind: 'disconnected', reason: 'no route' });
    expect(await world.items()).toEqual([{ kind: 'reconnect', connection: 1 }]);
  });

  it('says so where the provider gives no reason', async () => {
    const world = await LineWorld.connected();
    world.model.connection.emit({ kind: 'closed', clean: false });
    await settled();

    expect((await world.news()).at(-1)).toEqual({ kind: 'disconnected', reason: 'the connection ended' });
  });

  it('takes a connection that fails to be read as lost', async () => {
    const world = new LineWorld();
    const model = new ScriptedLive((connection) => {
      connection[Symbol.asyncIterator] = () => ({ next: () => Promise.reject(new Error('broken pipe')) });
      return undefined;
    });
    await world.connect(model);
    await settled();

    expect((await world.news()).at(-1)).toEqual({ kind: 'disconnected', reason: 'broken pipe' });
    expect(await world.items()).toEqual([{ kind: 'reconnect', connection: 1 }]);
  });

  it.each<[string, (world: LineWorld) => void]>([
    [
      'closed',
      ({ line }) => {
        line.close();
      },
    ],
    [
      'hung up',
      ({ line }) => {
        line.hangUp();
      },
    ],
  ])('is not connected again, nor said to be lost, if it was %s', async (_what, end) => {
    const world = await LineWorld.connected();
    end(world);
    world.model.connection.emit(drops());
    await settled();

    expect((await world.news()).map(({ kind }) => kind)).toEqual(['connected']);
    expect(await world.items()).toEqual([]);
  });
});
