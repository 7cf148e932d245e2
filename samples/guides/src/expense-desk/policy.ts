import { inject, tool } from 'adorn';

/** What an expense is for. */
export type Category = 'meals' | 'travel' | 'lodging' | 'equipment';

/** The limits of the company, in euros. */
export class Limits {
  private readonly euros: Record<Category, number> = { meals: 60, travel: 500, lodging: 180, equipment: 250 };

  of(category: Category): number {
    return this.euros[category];
  }
}

export class Policy {
  constructor(@inject(Limits) private readonly limits: Limits) {}

  /**
   * Look up the limit in euros above which a manager has to approve an expense.
   * @param category What the expense is for.
   */
  @tool({ effect: 'read' })
  policyLimit(category: Category): { category: Category; limitEuros: number } {
    return { category, limitEuros: this.limits.of(category) };
  }
}
