import { callsTool, says, ScriptedModel } from '@adorn/testing';
import {
  agent,
  createRunner,
  FunctionTool,
  inject,
  LlmAgent,
  StaticToolset,
  type Tool,
  Toolset,
  type ToolsetContext,
  withFilter,
  withPrefix,
} from 'adorn';

interface Report {
  readonly name: string;
  readonly description: string;
  readonly rows: readonly object[];
}

/** Reports that users have saved. */
class ReportStore {
  private readonly reports = new Map<string, Report[]>([
    ['ada', [{ name: 'late_orders', description: 'Orders that are late.', rows: [{ order: 'A-17' }] }]],
  ]);

  async ofUser(userId: string): Promise<Report[]> {
    return this.reports.get(userId) ?? [];
  }
}

/** Each saved report of the user is a tool. */
class SavedReports extends Toolset {
  override readonly listing = { keepFor: 'user' } as const;

  constructor(@inject(ReportStore) private readonly store: ReportStore) {
    super();
  }

  override async listTools({ userId }: ToolsetContext): Promise<Tool[]> {
    const reports = await this.store.ofUser(userId);
    return reports.map(
      ({ name, description, rows }) =>
        new FunctionTool({ name, description, effect: 'read', run: () => rows }),
    );
  }
}

const archive = new StaticToolset([
  new FunctionTool({ name: 'find', description: 'Find a file.', effect: 'read', run: () => 'none' }),
  new FunctionTool({
    name: 'remove',
    description: 'Remove a file.',
    effect: 'destructive',
    run: () => 'done',
  }),
]);
const readOnly = withFilter(archive, ({ traits }) => traits.effect === 'read');

/** Answers questions with the reports of the user and the archive. */
@agent({ model: 'gemini-2.5-flash', tools: [SavedReports, withPrefix(readOnly, 'archive')] })
class Analyst extends LlmAgent {}

for (const userId of ['ada', 'grace']) {
  const model = new ScriptedModel(callsTool('late_orders'), says('Done.'));
  await using runner = await createRunner(Analyst, { model });
  const { events } = await runner.run({ userId, message: 'Which orders are late?' });
  console.log(userId, events.flatMap(({ functionResponses }) => functionResponses)[0]?.response);
}
