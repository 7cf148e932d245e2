import { type LiveInput, tool, type ToolContext } from 'adorn';

/** The tools of the desk. */
export class DeskTools {
  /** How often the rate was fetched. */
  fetched = 0;

  /**
   * Get the current weather for a city.
   * @param city The city to get weather for.
   * @param units Temperature units (celsius or fahrenheit).
   */
  @tool({ effect: 'read' })
  getWeather(city: string, units = 'celsius'): object {
    return { temp: 22, city, units };
  }

  /** Look up an account by its id. @param accountId The id of the account. */
  @tool({ effect: 'read' })
  lookupAccount(accountId: string): object {
    return { account_id: accountId, balance: 4250, ssn: '078-05-1120' };
  }

  /** Verify the caller's identity. @param name The full name of the caller. */
  @tool
  verifyIdentity(name: string): object {
    return { verified: name === 'Ada' };
  }

  /** Log an event for compliance. @param event What has happened. */
  @tool
  logComplianceEvent(event: string): string {
    return `logged ${event}`;
  }

  /** Calculate a payment plan. @param months How many months the debt is paid in. */
  @tool
  calculatePaymentPlan(months: number, { state }: ToolContext): object {
    state.set('plan_agreed', true);
    return { monthly: 4250 / months };
  }

  /** Track a long-running operation. */
  @tool
  async *trackProgress(): AsyncGenerator<{ step: number }, void, undefined> {
    for (let step = 0; step < 5; step++) yield await Promise.resolve({ step });
  }

  /** Listen to how the caller speaks. */
  @tool
  async *listen(
    input: LiveInput,
    { state }: ToolContext,
  ): AsyncGenerator<{ bytes: number }, void, undefined> {
    for await (const { byteLength } of input.audio) {
      state.set('angry', byteLength > 1000);
      yield { bytes: byteLength };
    }
  }

  /** Search the knowledge base. @param query The words to look for. */
  @tool({ timeout: 20 })
  searchKb(query: string, { signal }: ToolContext): Promise<string> {
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        resolve(query);
      });
    });
  }

  /** Get the exchange rate. @param from The code of a currency. @param to The code of the other currency. */
  @tool({ effect: 'read', cache: true })
  getRate(from: string, to: string): object {
    return { from, to, rate: 1.1, fetched: ++this.fetched };
  }

  /** Send an email to the customer. @param to The customer's address. */
  @tool({ confirm: () => 'This will send a real email — are you sure?' })
  sendEmail(to: string): string {
    return `sent to ${to}`;
  }

  /** Search the knowledge base; the conversation goes on. @param query The words to look for. */
  @tool({ background: true })
  searchKnowledgeBase(query: string): Promise<string> {
    return Promise.resolve(`found ${query}`);
  }

  /** Analyze a document; the conversation goes on. @param query The document. */
  @tool({
    background: {
      format: {
        running: ({ args }) => ({ status: 'searching', query: args['query'] }),
        result: ({ name }, { result, error }) =>
          error === undefined
            ? { status: 'done', tool: name, result }
            : { status: 'error', tool: name, error },
        cancelled: ({ id }) => ({ status: 'cancelled', call_id: id }),
      },
    },
  })
  analyzeDoc(query: string): Promise<string> {
    return Promise.resolve(`read ${query}`);
  }

  /** Ask the back office, which answers in a later message. @param question What the back office is asked. */
  @tool({ longRunning: true })
  askBackOffice(question: string): object {
    return { ticket: 'T-1', question };
  }
}
