import { inject, tool, ToolContext } from 'adorn';

import { type Category, Limits } from './policy.js';

export interface Expense {
  readonly userId: string;
  readonly category: Category;
  readonly euros: number;
  readonly description: string;
  readonly approvedBy?: string | undefined;
}

/** The expenses that were filed. */
export class ExpenseBook {
  readonly filed: Expense[] = [];
}

export class Expenses {
  constructor(@inject(ExpenseBook) private readonly book: ExpenseBook) {}

  /**
   * Submit an expense.
   * @param category What it was for.
   * @param euros Amount in euros. @exclusiveMinimum 0
   * @param description What was bought, in a few words.
   */
  @tool({
    effect: 'write',
    confirm: (category, euros, description, context) => {
      const limit = context.get(Limits).of(category);
      return (
        euros > limit && `${description}: ${String(euros)} EUR for ${category}, limit ${String(limit)} EUR`
      );
    },
    approvers: (_category, euros) => ({ role: 'manager', count: euros > 5_000 ? 2 : 1 }),
  })
  submitExpense(category: Category, euros: number, description: string, context: ToolContext): Expense {
    const { userId, confirmation } = context;
    const expense = { userId, category, euros, description, approvedBy: confirmation?.by };
    this.book.filed.push(expense);
    return expense;
  }

  /** List the expenses that the employee has submitted. */
  @tool({ effect: 'read' })
  listExpenses(context: ToolContext): Expense[] {
    return this.book.filed.filter(({ userId }) => userId === context.userId);
  }
}
