import { Container } from 'inversify';
import { Container as Container6 } from 'inversify-6';
import { Container as Container7 } from 'inversify-7';

import { createRunner, LlmAgent } from '../index.js';
import { childOf } from './runner-container.js';

describe('childOf', () => {
  it('sees what its parent binds and binds nothing in it', () => {
    const parent = new Container();
    parent.bind('city').toConstantValue('Oslo');

    const child = childOf(parent);
    child.bind('own').toConstantValue(1);

    expect(child.get('city')).toBe('Oslo');
    expect(parent.isBound('own')).toBe(false);
  });

  it('is made by the base class of a parent whose own constructor knows no parent', () => {
    class Application extends Container {
      constructor(readonly mode: string) {
        super();
        this.bind('mode').toConstantValue(mode);
      }
    }

    const child = childOf(new Application('test'));

    expect(child.get('mode')).toBe('test');
    expect(child).not.toBeInstanceOf(Application);
  });

  it.each([
    ['nothing', null],
    ['a plain object', {}],
    ['a container of inversify 6', new Container6()],
    ['a container of inversify 7', new Container7()],
  ])('refuses %s', async (_what, container) => {
    class Clerk extends LlmAgent {}

    expect(() => childOf(container)).toThrow(
      'The container passed to createRunner is not an inversify 8 container. Pass a Container of ' +
        'inversify 8, or pass modules instead.',
    );
    if (container !== null) {
      await expect(createRunner(Clerk, { container: container as Container })).rejects.toMatchObject({
        code: 'NOT_A_CONTAINER',
      });
    }
  });
});
