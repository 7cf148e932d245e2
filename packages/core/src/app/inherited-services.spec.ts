import 'reflect-metadata';
import { injectable } from 'inversify';
import { ScriptedModel } from '@adorn/testing';

import type { LlmAgentNode } from '../backend.js';
import { agent, createRunner, inject, LlmAgent, tool } from '../index.js';

describe('a subclass of a tool service', () => {
  it('without a constructor gets what its base is given by constructor and property', async () => {
    class Plain extends Base {}

    expect(await callOn(Plain)).toEqual({ store: 'store', clock: 'clock' });
  });

  it('without a constructor, two steps down, gets the same', async () => {
    class Middle extends Base {}
    class Lower extends Middle {}

    expect(await callOn(Lower)).toEqual({ store: 'store', clock: 'clock' });
  });

  it('with a constructor of its own gets what that asks for', async () => {
    class Own extends Base {
      constructor(
        @inject(Extra) readonly extra: Extra,
        @inject(Store) store: Store,
      ) {
        super(store);
      }

      override look(): unknown {
        return { ...(super.look() as object), extra: this.extra.name };
      }
    }

    expect(await callOn(Own)).toEqual({ store: 'store', clock: 'clock', extra: 'extra' });
  });

  it('with a constructor that takes nothing gets nothing, and its properties still', async () => {
    class Fixed extends Base {
      constructor() {
        super(new Store('fixed'));
      }
    }

    expect(await callOn(Fixed)).toEqual({ store: 'fixed', clock: 'clock' });
  });

  it('adds properties of its own to those of its base', async () => {
    class More extends Base {
      @inject(Extra)
      readonly extra!: Extra;

      override look(): unknown {
        return { ...(super.look() as object), extra: this.extra.name };
      }
    }

    expect(await callOn(More)).toEqual({ store: 'store', clock: 'clock', extra: 'extra' });
  });

  it('that only speaks of a constructor in its body has none', async () => {
    class Talking extends Base {
      override look(): unknown {
        return { ...(super.look() as object), note: 'the constructor (of the base) is used' };
      }
    }

    expect(await callOn(Talking)).toMatchObject({ store: 'store', clock: 'clock' });
  });

  it('may be marked injectable already, as may its base', async () => {
    @injectable()
    class Marked {
      constructor(@inject(Store) readonly store: Store) {}

      @tool(WITHOUT)
      look(): unknown {
        return { store: this.store.name };
      }
    }
    class Below extends Marked {}

    expect(await callOn(Marked)).toEqual({ store: 'store' });
    expect(await callOn(Below)).toEqual({ store: 'store' });
    expect(await callOn(Marked)).toEqual({ store: 'store' });
  });
});

const WITHOUT = { parameters: { type: 'object' } };

class Store {
  constructor(readonly name = 'store') {}
}

class Clock {
  readonly name = 'clock';
}

class Extra {
  readonly name = 'extra';
}

class Base {
  @inject(Clock)
  protected readonly clock!: Clock;

  constructor(@inject(Store) protected readonly store: Store) {}

  @tool(WITHOUT)
  look(): unknown {
    return { store: this.store.name, clock: this.clock.name };
  }
}

async function callOn(service: new (...args: never[]) => object): Promise<unknown> {
  @agent({ description: '', tools: [service] })
  class Clerk extends LlmAgent {}
  const { root } = await createRunner(Clerk, { model: new ScriptedModel() });
  return (root as LlmAgentNode).tools.find('look')?.tool.run({}, {} as never);
}
