import type { Check, CheckGroup } from '../check.js';
import type { TestResult } from '../run-specs.js';

type ContractTest = Omit<TestResult, 'spec'>;

/** What a contract suite is titled: the backend, and what it is tried as. */
const SUITE = /^(?<backend>.+) as an? (?<service>\w+)$/;

/** A backend, and what each of the suites says of it. */
export interface BackendResult {
  readonly backend: string;
  readonly groups: CheckGroup[];
}

/** Sorts the tests of contract suites by backend and suite; other tests are left aside. */
export function byBackend(tests: readonly ContractTest[]): BackendResult[] {
  const backends = new Map<string, Map<string, Check[]>>();
  for (const test of tests) {
    const { backend, service } = suiteOf(test) ?? {};
    if (backend === undefined || service === undefined) continue;
    const suites = backends.get(backend) ?? new Map<string, Check[]>();
    backends.set(backend, suites);
    const checks = suites.get(service) ?? [];
    suites.set(service, checks);
    checks.push(checkOf(test));
  }
  return [...backends].map(([backend, suites]) => ({
    backend,
    groups: [...suites].map(([name, checks]) => ({ name, checks })),
  }));
}

function suiteOf({
  ancestorTitles,
}: ContractTest): Partial<Record<'backend' | 'service', string>> | undefined {
  return ancestorTitles.map((title) => SUITE.exec(title)?.groups).find(Boolean);
}

function checkOf({ ancestorTitles, title, status, failureMessages = [] }: ContractTest): Check {
  const what = [...ancestorTitles.slice(1), title].join(' › ');
  const reason = failureMessages[0]?.split('\n')[0] ?? '';
  return { what, fault: status === 'passed' ? undefined : `${status} ${reason}`.trim() };
}
