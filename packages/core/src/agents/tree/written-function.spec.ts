import { DERIVED, type DerivedClass, type DerivedFunction } from '@adorn/schema';
import { LlmAgent } from '../llm.agent.js';
import { writtenFunction } from './agent-plan.js';

function look(): string {
  return 'seen';
}

function find(): string {
  return 'found';
}

describe('what was built for a function among the tools of an agent', () => {
  it('is found by the function itself, whatever a minifier has made of its name', () => {
    const [built, other] = [record('lookUp', look), record('look', find)];

    expect(writtenFunction(agentWith(other, built), look)).toBe(built);
    expect(writtenFunction(agentWith(built, other), find)).toBe(other);
  });

  it('is found by its name where the file of the agent has no name for it', () => {
    const [built, other] = [record('look'), record('find')];

    expect(writtenFunction(agentWith(other, built), look)).toBe(built);
  });

  it('is not what was built for another function of the same name', () => {
    expect(writtenFunction(agentWith(record('look', find)), look)).toBeUndefined();
    expect(writtenFunction(agentWith(), look)).toBeUndefined();
  });

  it('is found with a class that the agent extends, after its own', () => {
    const [inherited, own] = [record('look', look), record('look', look)];
    const Base = agentWith(inherited);

    expect(writtenFunction(class extends Base {}, look)).toBe(inherited);
    expect(writtenFunction(withRecord(class extends Base {}, own), look)).toBe(own);
  });
});

function record(name: string, work?: () => string): DerivedFunction {
  const built = { name, parameters: [], schema: { type: 'object' } } as unknown as DerivedFunction;
  return work === undefined ? built : { ...built, function: work };
}

function agentWith(...functions: readonly DerivedFunction[]) {
  return withRecord(class extends LlmAgent {}, ...functions);
}

function withRecord<Class extends object>(target: Class, ...functions: readonly DerivedFunction[]): Class {
  return Object.assign(target, { [DERIVED]: { functions } as unknown as DerivedClass });
}
