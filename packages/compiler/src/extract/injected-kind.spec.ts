import { deriveSource } from '../fixtures/temporary-project.js';

const SOURCE = `
import { inject, inject as give, type LiveInput, ReadonlyContext, tool, ToolContext } from 'adorn';
import * as adorn from 'adorn';

class Ledger { balance(): number { return 0; } }
interface Audit { write(line: string): void }
class OwnContext extends ToolContext {}
class Typed<State> extends ToolContext { declare state: State }
type Context = ToolContext;

export class Injected {
  @tool byType(a: ToolContext, b: ReadonlyContext, c: AbortSignal, d: LiveInput): void {}
  @tool optional(a?: ToolContext, b?: AbortSignal | null, c: LiveInput | undefined = undefined, id?: string): void {}
  @tool named(a: Context, b: OwnContext, c: Typed<{ cart: string }>, d: ToolContext & { more: 1 }): void {}
  @tool generic<C extends ToolContext>(context: C, id: string): void {}
  @tool marked(this: Injected, id: string, @inject(Ledger) ledger: Ledger, @give('audit') audit: Audit, @adorn.inject('any') any): void {}
  @tool taken(@inject(Ledger) ledger: Ledger, { id }: { id: string }): void {}
}

export class Silent extends Injected {
  override marked(id: string, ledger: Ledger, audit: Audit, any: unknown): void {}
}
export class Anew extends Injected {
  override marked(id: any, ledger: { id: string }, @inject('audit') audit: Audit, any: any): void {}
}
`;

const OWN = `
import { tool } from 'adorn';
interface ToolContext { orderId: string }
interface LiveInput { text: string }
export class Own { @tool run(context: ToolContext, input: LiveInput): void {} }
`;

describe('what Adorn fills in', () => {
  const { classes, faults } = deriveSource(SOURCE);
  const kinds = (owner: string, method: string): string[] | undefined =>
    classes[owner]?.tools[method]?.parameters.map(({ kind }) => kind);
  const names = (owner: string, method: string): string[] =>
    Object.keys(classes[owner]?.tools[method]?.parametersJsonSchema['properties'] ?? {});

  it('is known by its type, in any place, optional or not, by an alias, a subclass or a constraint', () => {
    expect(faults).toEqual({});
    expect(kinds('Injected', 'byType')).toEqual(['context', 'context', 'signal', 'live']);
    expect(kinds('Injected', 'optional')).toEqual(['context', 'signal', 'live', 'argument']);
    expect(kinds('Injected', 'named')).toEqual(['context', 'context', 'context', 'context']);
    expect(kinds('Injected', 'generic')).toEqual(['context', 'argument']);
    expect(names('Injected', 'optional')).toEqual(['id']);
  });

  it('is known by @inject before it, whatever its type is, and the model is not shown it', () => {
    expect(kinds('Injected', 'marked')).toEqual(['argument', 'service', 'service', 'service']);
    expect(names('Injected', 'marked')).toEqual(['id']);
    expect(kinds('Injected', 'taken')).toEqual(['service', 'arguments']);
    expect(names('Injected', 'taken')).toEqual(['id']);
  });

  it('is kept by an override, and said anew by one that says it', () => {
    expect(kinds('Silent', 'marked')).toEqual(['argument', 'service', 'service', 'service']);
    expect(kinds('Anew', 'marked')).toEqual(['argument', 'argument', 'service', 'argument']);
  });

  it('is no type of the users that only bears the name', () => {
    expect(deriveSource(OWN).classes['Own']?.tools['run']?.parametersJsonSchema).toMatchObject({
      required: ['context', 'input'],
    });
  });
});
