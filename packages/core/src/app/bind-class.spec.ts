import { LazyServiceIdentifier } from 'inversify';
import { ScriptedModel } from '@adorn/testing';

import type { LlmAgentNode, ToolSource } from '../backend.js';
import {
  AdornError,
  agent,
  type AgentClass,
  Container,
  ContainerModule,
  createRunner,
  inject,
  LlmAgent,
  multiInject,
  named,
  optional,
  type Runner,
  tool,
} from '../index.js';
import { type ClassReference, DERIVED, type DerivedClass } from '@adorn/schema';

describe('the classes a tree asks for', () => {
  it('are bound unasked where they can be made as they are, one of each for a runner', async () => {
    const runner = await runnerOf([Orders, Audits]);

    expect(await resultOf(runner, 'orders')).toEqual({ stores: 1, place: 'Oslo' });
    expect(await resultOf(runner, 'audits')).toEqual({ stores: 1, place: 'Oslo' });
    expect(await resultOf(await runnerOf([Orders]), 'orders')).toEqual({ stores: 2, place: 'Oslo' });
  });

  it('are given to agents by constructor and by property, and shared with tools', async () => {
    @agent({ description: '', tools: [Orders] })
    class Clerk extends LlmAgent {
      @inject(Settings)
      readonly settings!: Settings;

      constructor(@inject(Store) readonly store: Store) {
        super();
      }
    }
    const runner = await createRunner(Clerk, { model: new ScriptedModel() });
    const clerk = runner.root.definition as Clerk;

    expect(clerk.settings).toEqual({ place: 'Oslo' });
    expect(await resultOf(runner, 'orders')).toMatchObject({ stores: clerk.store.number });
  });

  it('are taken as a module binds them', async () => {
    const module = new ContainerModule(({ bind }) => {
      bind(Settings).toConstantValue({ place: 'Bergen' });
    });

    expect(await resultOf(await runnerOf([Orders], [module]), 'orders')).toMatchObject({ place: 'Bergen' });
  });

  it('may be missing where they are optional', async () => {
    class Gateway {
      constructor(@inject('LIMIT') @optional() private readonly limit: number | undefined) {}

      @tool(WITHOUT)
      limits(): unknown {
        return { limit: this.limit ?? 'none' };
      }
    }

    expect(await resultOf(await runnerOf([Gateway]), 'limits')).toEqual({ limit: 'none' });
  });

  it('are named where a symbol of a constructor is not bound', async () => {
    class Gateway extends Tools {
      constructor(
        @inject(Settings) readonly settings: Settings,
        @inject(LEDGER) readonly ledger: unknown,
      ) {
        super();
      }
    }

    await expect(runnerOf([Gateway])).rejects.toMatchObject({
      code: 'SERVICE_NOT_BOUND',
      message:
        'Gateway needs Symbol(ledger) (constructor parameter 2), but nothing is bound to it. Bind it in ' +
        'a module: createRunner(Agent, { modules: [new ContainerModule(({ bind }) => { ' +
        'bind(Symbol(ledger)).to(…); })] }), or, for the command line, export const modules = […] beside the agent.',
    });
  });

  it('are named where an abstract class of a property is not bound', async () => {
    abstract class Ledger {
      abstract readonly entries: number;
    }
    class Gateway extends Tools {
      @inject(Ledger)
      readonly ledger!: Ledger;
    }
    record(Gateway, { ledger: 'abstract' });

    await expect(runnerOf([Gateway])).rejects.toMatchObject({
      code: 'SERVICE_NOT_BOUND',
      message:
        'Gateway needs Ledger (ledger), which is an abstract class, but nothing is bound to it. Bind it ' +
        'in a module: createRunner(Agent, { modules: [new ContainerModule(({ bind }) => { ' +
        'bind(Ledger).to(…); })] }), or, for the command line, export const modules = […] beside the agent.',
    });
  });

  it('are bound to the class of the tree that extends them, says the cure', async () => {
    abstract class Ledger {
      abstract balance(): number;
    }
    class PaperLedger extends Ledger {
      balance(): number {
        return 1;
      }
    }
    class Gateway extends Tools {
      constructor(
        @inject(PaperLedger) readonly paper: PaperLedger,
        @inject(Ledger) readonly ledger: Ledger,
      ) {
        super();
      }
    }

    await expect(runnerOf([Gateway])).rejects.toMatchObject({
      code: 'SERVICE_NOT_BOUND',
      message: expect.stringContaining('{ bind(Ledger).toService(PaperLedger); }') as unknown,
    });
  });

  it('are bound to themselves, says the cure of a class that nothing in the tree needs', async () => {
    class Library {
      readonly books = 3;
    }
    const runner = await runnerOf([Tools]);

    expect(() => runner.get(Library)).toThrow(
      expect.objectContaining({
        code: 'SERVICE_NOT_BOUND',
        message: expect.stringContaining(
          '{ bind(Library).toSelf().inSingletonScope(); })] }), or, for the command line, export const modules = […] ' +
            'beside the agent; if it is abstract, bind(Library).to(…).',
        ) as unknown,
      }) as Error,
    );
    await runner.close();
  });

  it('are named where the one that lacks something is asked for by another', async () => {
    class Books {
      readonly isOpen = true;
      constructor(@inject('RATES') readonly rates: unknown) {}
    }
    class Gateway extends Tools {
      constructor(@inject(Books) readonly books: Books) {
        super();
      }
    }

    await expect(runnerOf([Gateway])).rejects.toMatchObject({
      code: 'SERVICE_NOT_BOUND',
      message:
        'Books needs RATES (constructor parameter 1), but nothing is bound to it. Dependency path: ' +
        'Gateway → Books → RATES. Bind it in a module: ' +
        'createRunner(Agent, { modules: [new ContainerModule(({ bind }) => { bind(RATES).to(…); })] }), or, for the command line, export const modules = […] beside the agent.',
    });
  });

  it('are named where an agent asks for what is not bound', async () => {
    @agent({ description: '' })
    class Clerk extends LlmAgent {
      constructor(@inject(LEDGER) readonly ledger: unknown) {
        super();
      }
    }

    await expect(createRunner(Clerk, { model: new ScriptedModel() })).rejects.toMatchObject({
      code: 'SERVICE_NOT_BOUND',
      message: expect.stringMatching(/^Clerk needs Symbol\(ledger\) \(constructor parameter 1\)/) as unknown,
    });
  });

  it('are named where a class that a module binds asks for what is not bound', async () => {
    class Gateway extends Tools {
      constructor(@inject(LEDGER) readonly ledger: unknown) {
        super();
      }
    }
    const module = new ContainerModule(({ bind }) => {
      bind(Gateway).toSelf();
    });

    await expect(runnerOf([Gateway], [module])).rejects.toMatchObject({ code: 'SERVICE_NOT_BOUND' });
  });

  it('are named where a constructor parameter says nothing of what it wants', async () => {
    class Gateway extends Tools {
      constructor(readonly settings: Settings) {
        super();
      }
    }

    const error: unknown = await runnerOf([Gateway]).catch((reason: unknown) => reason);

    expect(AdornError.is(error)).toBe(true);
    expect(String(error)).toMatch(/Gateway.*constructor parameter 1/);
  });
});

describe('a class that nobody bound', () => {
  abstract class Ledger {
    abstract entries(): number;

    total(): number {
      return this.entries();
    }
  }
  class Files {
    entries(): number {
      return 3;
    }
  }

  it('is made where it adds nothing to the class it extends', async () => {
    class AuditedFiles extends Files {}

    expect(await givenBy(AuditedFiles)).toBeInstanceOf(AuditedFiles);
  });

  it('is made where it is written as a function', async () => {
    function Old(this: { entries: number }): void {
      this.entries = 3;
    }

    expect(await givenBy(Old as unknown as ClassReference)).toEqual({ entries: 3 });
  });

  it('is made where it has no members and is known not to be abstract', async () => {
    // eslint-disable-next-line @typescript-eslint/no-extraneous-class -- an empty service is what is looked at
    class Marker {}

    expect(await givenBy(Marker, 'concrete')).toBeInstanceOf(Marker);
  });

  it('is refused where it is known to be abstract, and taken where a module binds it', async () => {
    class Sql extends Ledger {
      entries(): number {
        return 2;
      }
    }
    const module = new ContainerModule(({ bind }) => {
      bind(Ledger).to(Sql);
    });

    await expect(givenBy(Ledger, 'abstract')).rejects.toMatchObject({
      code: 'SERVICE_NOT_BOUND',
      message: expect.stringContaining('which is an abstract class') as unknown,
    });
    expect(await givenBy(Ledger, 'abstract', [module])).toBeInstanceOf(Sql);
  });

  it('is refused where a class asks for it that is asked for itself, and the path is named', async () => {
    class Books {
      @inject(Ledger)
      readonly ledger!: Ledger;
    }
    record(Books, { ledger: 'abstract' });

    await expect(givenBy(Books)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^Books needs Ledger \(ledger\), which is an abstract class, .* Dependency path: Gateway → Books → Ledger\./,
      ) as unknown,
    });
  });

  it('is refused where it has no members and nobody knows it: an abstract class looks the same', async () => {
    abstract class Contract {
      abstract readonly entries: number;
    }
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    try {
      await expect(givenBy(Contract)).rejects.toMatchObject({
        code: 'SERVICE_NOT_BOUND',
        message: expect.stringContaining(
          'which is a class without members, like an abstract class',
        ) as unknown,
      });
    } finally {
      process.env['NODE_ENV'] = before;
    }
  });

  it('is refused where a tool asks for it at each call', async () => {
    class Gateway {
      @tool(WITHOUT)
      look(_args: unknown, @inject(Ledger) ledger: Ledger): number {
        return ledger.total();
      }
    }
    record(Gateway, { 'look(1)': 'abstract' });

    await expect(runnerOf([Gateway])).rejects.toMatchObject({
      message: expect.stringContaining('Gateway needs Ledger (parameter 2 of look)') as unknown,
    });
  });
});

describe('what is wrong below a class', () => {
  it('is found in the class that a module binds to it, and the path names both', async () => {
    abstract class Ledger {
      declare readonly kind: string;
    }
    class SqlLedger extends Ledger {
      constructor(@inject('pool') readonly pool: unknown) {
        super();
      }
    }
    const module = new ContainerModule(({ bind }) => {
      bind(Ledger).to(SqlLedger);
    });

    await expect(givenBy(Ledger, 'abstract', [module])).rejects.toMatchObject({
      code: 'SERVICE_NOT_BOUND',
      message: expect.stringMatching(
        /^SqlLedger needs pool \(constructor parameter 1\), .* Dependency path: Gateway → Ledger \(SqlLedger\) → pool\./,
      ) as unknown,
    });
  });

  it('is found below a service that is made at the first call of a tool', async () => {
    class Gateway {
      @tool(WITHOUT)
      look(_args: unknown, @inject('books') books: unknown): unknown {
        return books;
      }
    }
    const module = new ContainerModule(({ bind }) => {
      bind('books').toResolvedValue((rates: unknown) => rates, ['rates']);
    });

    await expect(runnerOf([Gateway], [module])).rejects.toMatchObject({
      message: expect.stringMatching(
        /^books needs rates \(argument 1 of its factory\), .* Dependency path: Gateway → books → rates\./,
      ) as unknown,
    });
  });

  it('is a circle, which is named, whoever bound its classes', async () => {
    class Left {
      @inject(new LazyServiceIdentifier(() => Right))
      readonly right!: unknown;
    }
    class Right {
      constructor(@inject(Left) readonly left: Left) {}
    }
    const message =
      'Circular dependency: Left → Right → Left. Dependency path: Gateway → Left → Right → Left. Move ' +
      'what two of them need into a third service, or pass one to a method of the other.';
    const module = new ContainerModule(({ bind }) => {
      bind(Right).toSelf();
    });

    await expect(givenBy(Left)).rejects.toMatchObject({ code: 'SERVICE_CIRCULAR', message });
    await expect(givenBy(Left, undefined, [module])).rejects.toMatchObject({ message });
  });

  it('is a parameter that says nothing of what it wants', async () => {
    class Books {
      readonly isOpen = true;
      constructor(
        @inject(Settings) readonly settings: Settings,
        readonly rates: unknown,
      ) {}
    }

    await expect(givenBy(Books)).rejects.toMatchObject({
      code: 'SERVICE_NOT_BOUND',
      message:
        'Nothing is bound to Books, and it cannot be constructed: its constructor parameter 2 does not say which service ' +
        'to inject. Dependency path: Gateway → Books. Bind it in a module: createRunner(Agent, { modules: [new ' +
        'ContainerModule(({ bind }) => { bind(Books).toConstantValue(new Books(…)); })] }), or, for the command line, export ' +
        'const modules = […] beside the agent; or say it with @inject(Token): an interface does not exist at run time, ' +
        'and esbuild and tsx emit no types.',
    });
  });

  it('is a binding that applies beside another', async () => {
    const module = new ContainerModule(({ bind }) => {
      bind('rates').toConstantValue(1);
      bind('rates').toConstantValue(2);
      bind('named').toConstantValue(3).whenNamed('late');
      bind('named').toConstantValue(4).whenNamed('early');
    });
    class Books {
      constructor(@inject('rates') readonly rates: unknown) {}
    }
    class Named {
      constructor(@inject('named') @named('late') readonly rates: unknown) {}
    }
    class Many {
      constructor(
        @multiInject('rates') readonly rates: unknown,
        @multiInject('none') readonly none: unknown,
      ) {}
    }

    await expect(givenBy(Books, undefined, [module])).rejects.toMatchObject({ code: 'SERVICE_AMBIGUOUS' });
    expect(await givenBy(Named, undefined, [module])).toEqual({ rates: 3 });
    expect(await givenBy(Many, undefined, [module])).toEqual({ rates: [1, 2], none: [] });
  });

  it('is not invented: a chain of bindings for one token, told apart by who asks, is no circle', async () => {
    abstract class Ledger {
      declare readonly kind: string;
    }
    class SqlLedger extends Ledger {
      override readonly kind = 'sql';
    }
    class AuditedLedger extends Ledger {
      constructor(@inject(Ledger) readonly inner: Ledger) {
        super();
      }
    }
    const module = new ContainerModule(({ bind }) => {
      bind(Ledger)
        .to(SqlLedger)
        .whenParent(({ serviceIdentifier }) => serviceIdentifier === Ledger);
      bind(Ledger)
        .to(AuditedLedger)
        .whenNoParent(({ serviceIdentifier }) => serviceIdentifier === Ledger);
    });

    expect(await givenBy(Ledger, undefined, [module])).toEqual({ inner: { kind: 'sql' } });
  });
});

describe('one instance for each place', () => {
  it('of an agent class: two parents of one class have two', async () => {
    @agent({ description: '' })
    class Helper extends LlmAgent {}
    @agent({ description: '', subAgents: [Helper] })
    class Billing extends LlmAgent {}
    @agent({ description: '', subAgents: [Helper] })
    class Delivery extends LlmAgent {}
    @agent({ description: '', subAgents: [Billing, Delivery] })
    class Root extends LlmAgent {}

    const { root } = await createRunner(Root, { model: new ScriptedModel() });
    const helpers = root.subAgents.flatMap(({ subAgents }) => subAgents);

    expect(helpers.map(({ path }) => path)).toEqual(['root/billing/helper', 'root/delivery/helper']);
    expect(helpers.map(({ parentAgent }) => parentAgent?.name)).toEqual(['billing', 'delivery']);
    expect(helpers[0]).not.toBe(helpers[1]);
  });

  it('and one of a service for all agents', async () => {
    @agent({ description: '', tools: [Orders] })
    class Helper extends LlmAgent {}
    @agent({ description: '', tools: [Audits], subAgents: [Helper] })
    class Root extends LlmAgent {}
    const runner = await createRunner(Root, { model: new ScriptedModel() });

    const [helper] = runner.root.subAgents;
    expect(await callOf(helper as LlmAgentNode, 'orders')).toEqual(
      await callOf(runner.root as LlmAgentNode, 'audits'),
    );
  });
});

describe("createRunner's container", () => {
  it('is seen, and nothing is bound in it', async () => {
    const container = new Container();
    container.bind(Settings).toConstantValue({ place: 'Trondheim' });
    const runner = await createRunner(clerkWith([Orders]), { container, model: new ScriptedModel() });

    expect(await resultOf(runner, 'orders')).toMatchObject({ place: 'Trondheim' });
    expect([Orders, Store].map((token) => container.isBound(token))).toEqual([false, false]);
    expect(container.isBound(Settings)).toBe(true);
  });

  it('is left as it was when the runner is closed', async () => {
    const container = new Container();
    container.bind(Settings).toConstantValue({ place: 'Trondheim' });
    const runner = await createRunner(clerkWith([Orders]), { container, model: new ScriptedModel() });

    await runner.close();

    expect(container.get(Settings)).toEqual({ place: 'Trondheim' });
  });

  it('is beaten by the modules', async () => {
    const container = new Container();
    container.bind(Settings).toConstantValue({ place: 'Trondheim' });
    const module = new ContainerModule(({ bind }) => {
      bind(Settings).toConstantValue({ place: 'Bergen' });
    });
    const runner = await createRunner(clerkWith([Orders]), {
      container,
      modules: [module],
      model: new ScriptedModel(),
    });

    expect(await resultOf(runner, 'orders')).toMatchObject({ place: 'Bergen' });
  });
});

const WITHOUT = { parameters: { type: 'object' } };
const LEDGER = Symbol('ledger');

let stores = 0;

class Store {
  readonly number = ++stores;
}

class Settings {
  place = 'Oslo';
}

class Orders {
  constructor(
    @inject(Store) private readonly store: Store,
    @inject(Settings) private readonly settings: Settings,
  ) {}

  @tool(WITHOUT)
  orders(): unknown {
    return { stores: this.store.number, place: this.settings.place };
  }
}

class Audits {
  @inject(Store)
  private readonly store!: Store;

  @inject(Settings)
  private readonly settings!: Settings;

  @tool(WITHOUT)
  audits(): unknown {
    return { stores: this.store.number, place: this.settings.place };
  }
}

class Tools {
  @tool(WITHOUT)
  anything(): string {
    return 'done';
  }
}

beforeEach(() => {
  stores = 0;
});

/** What the compiler knows of the classes that a class asks for. */
function record(target: object, services: NonNullable<DerivedClass['services']>): void {
  Object.defineProperty(target, DERIVED, { value: { services, tools: {} } satisfies DerivedClass });
}

/** What a tool class gets that asks for a service. */
async function givenBy(
  service: ClassReference,
  kind?: 'abstract' | 'concrete',
  modules: readonly ContainerModule[] = [],
): Promise<unknown> {
  let given: unknown;
  class Gateway extends Tools {
    constructor(@inject(service) asked: unknown) {
      super();
      given = asked;
    }
  }
  if (kind !== undefined) record(Gateway, { 'constructor(0)': kind });
  await runnerOf([Gateway], modules);
  return given;
}

function clerkWith(tools: readonly ToolSource[]): AgentClass {
  @agent({ description: '', tools })
  class Clerk extends LlmAgent {}
  return Clerk;
}

function runnerOf(tools: readonly ToolSource[], modules: readonly ContainerModule[] = []): Promise<Runner> {
  return createRunner(clerkWith(tools), { modules, model: new ScriptedModel() });
}

function resultOf({ root }: Runner, name: string): Promise<unknown> {
  return callOf(root as LlmAgentNode, name);
}

async function callOf(node: LlmAgentNode, name: string): Promise<unknown> {
  return node.tools.find(name)?.tool.run({}, {} as never);
}
