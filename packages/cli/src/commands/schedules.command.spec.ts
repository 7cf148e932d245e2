import { printedBy, Project } from './project.fixture.js';
import { schedulesCommand } from './schedules.command.js';

const APP = `
import { defineAgent, LlmAgent } from 'adorn';
import { schedule } from '@adorn/schedules';
export class Reports {
  monthly() {}
}
const monthly = Object.getOwnPropertyDescriptor(Reports.prototype, 'monthly');
schedule('0 0 1 * *', { name: 'monthly', missed: 'skip' })(Reports.prototype, 'monthly', monthly);
class Clerk extends LlmAgent {
  morning() {}
}
const morning = Object.getOwnPropertyDescriptor(Clerk.prototype, 'morning');
schedule('0 9 * * *', { timeZone: 'Europe/Berlin' })(Clerk.prototype, 'morning', morning);
import { agent, ContainerModule } from 'adorn';
agent({ model: null })(Clerk);
export default Clerk;
export const modules = [new ContainerModule(({ bind }) => void bind(Reports).toSelf())];
`;

describe('adorn schedules', () => {
  let project: Project;
  beforeEach(async () => {
    project = await Project.create({ 'app.js': APP });
  });
  afterEach(() => project.remove());

  const listed = (...args: string[]) => printedBy(schedulesCommand, [project.path('app.js'), ...args]);

  it('lists the schedules of agents and of exported services, and when they come next', async () => {
    const time = String.raw`  \d{4}-\d\d-\d\dT\d\d:00:00\.000Z\n`;

    expect(await listed('--count', '2')).toMatch(
      new RegExp(
        `^Clerk\\.morning  0 9 \\* \\* \\* \\(Europe/Berlin\\)\\n  Clerk\\.morning, missed: run-once\\n(${time}){2}` +
          `monthly  0 0 1 \\* \\* \\(UTC\\)\\n  Reports\\.monthly, missed: skip\\n(${time}){2}2 schedules\\n$`,
      ),
    );
    const [first] = JSON.parse(await listed('--json')) as { name: string; next: string[] }[];
    expect(first?.name).toBe('Clerk.morning');
    expect(first?.next).toHaveLength(3);
  });

  it('refuses a count that is none', async () => {
    await expect(listed('--count', '0')).rejects.toThrow(
      '--count is "0". Pass a whole number from 1 to 999.',
    );
  });
});
