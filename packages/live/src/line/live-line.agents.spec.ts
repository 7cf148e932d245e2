import { goesAway, ScriptedLive } from '@adorn/testing';

import type { LiveSetup } from '@adorn/core/backend';
import { LineWorld, settled, setupWith } from './live-line.fixture.js';

const DOWN = new Error('The provider is down.');

describe('a live line for another agent', () => {
  it('gets another connection, by the handle, and closes the one before', async () => {
    const world = await LineWorld.resumable();

    await expect(world.connect(world.model, { instruction: 'Know all.' })).resolves.toBe('resumed');
    expect(world.model.connections.map(({ isClosed }) => isClosed)).toEqual([true, false]);
    expect(await world.items()).toMatchObject([{ kind: 'event', event: { kind: 'resumption' } }]);
  });

  it('keeps the connection before if no other one can be opened', async () => {
    const world = await LineWorld.connected(new ScriptedLive(), { reconnectLimit: 0 });
    jest.spyOn(world.model, 'connect').mockRejectedValue(DOWN);

    await expect(world.connect(world.model)).rejects.toBe(DOWN);
    expect(world.model.connection.isClosed).toBe(false);
    expect(world.line.signals.isConnected).toBe(true);
  });

  it.each([
    ['another name', 'other-live', 'new', undefined],
    ['the same name', 'scripted-live', 'resumed', 'h1'],
  ])('is continued by the handle of a model of %s: %s', async (_what, name, opened, resume) => {
    const world = await LineWorld.resumable();
    const model = Object.assign(new ScriptedLive(), { name });

    await expect(world.connect(model)).resolves.toBe(opened);
    expect(model.connection.setup.resume).toBe(resume);
    expect(world.line.capabilities).toBe(model.capabilities);
  });

  it.each<[string, Partial<LiveSetup>]>([
    ['instruction', { instruction: 'Know all.' }],
    ['tools', { tools: [{ functionDeclarations: [{ name: 'look' }] }] }],
    ['tools in the background', { backgroundTools: ['look'] }],
  ])('is told of another %s on the open connection, if that can be changed', async (_what, change) => {
    const world = await LineWorld.connected(ScriptedLive.able({ updates: true }));
    const update = jest.spyOn(world.model.connection, 'update');

    await expect(world.connect(world.model, change)).resolves.toBe('updated');
    await expect(world.connect(world.model, change)).resolves.toBe('updated');

    const { instruction, tools, backgroundTools } = setupWith(change);
    expect(update.mock.calls).toEqual([[{ instruction, tools, backgroundTools }]]);
    expect(world.model.connections).toHaveLength(1);
  });

  it('is told nothing that has not changed', async () => {
    const world = await LineWorld.connected(ScriptedLive.able({ updates: true }));

    await expect(world.connect(world.model)).resolves.toBe('updated');
    expect(world.model.connection.sent).toEqual([]);
  });

  it('gets another connection of another model, though the open one can be changed', async () => {
    const world = await LineWorld.connected(ScriptedLive.able({ updates: true }));
    const other = ScriptedLive.able({ updates: true });

    await expect(world.connect(other)).resolves.toBe('new');
    expect([world.model.connection.isClosed, other.connection.isClosed]).toEqual([true, false]);
  });

  it('gets another connection if the open one, which can be changed, goes away', async () => {
    const world = await LineWorld.connected(ScriptedLive.able({ updates: true }));
    world.model.connection.emit(goesAway(10_000));
    await settled();

    await expect(world.connect(world.model)).resolves.toBe('new');
    expect(world.model.connections.map(({ isClosed }) => isClosed)).toEqual([true, false]);
    expect(world.line.isGoingAway).toBe(false);
  });
});
