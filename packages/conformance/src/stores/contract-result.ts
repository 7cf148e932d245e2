import type { Check, CheckGroup } from '../check.js';

/** What Jest says of one test. */
export interface TestResult {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
  readonly failureMessages?: readonly string[];
}

/** What a contract suite is titled: the backend, and what it is tried as. */
const SUITE = /^(?<backend>.+) as an? (?<service>\w+)$/;

/** A backend, and what each of the suites says of it. */
export interface BackendResult {
  readonly backend: string;
  readonly groups: CheckGroup[];
}

/** Sorts the tests of contract suites by backend and suite; other tests are left aside. */
export function byBackend(tests: readonly TestResult[]): BackendResult[] {
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

function suiteOf({ ancestorTitles }: TestResult): Partial<Record<'backend' | 'service', string>> | undefined {
  return ancestorTitles.map((title) => SUITE.exec(title)?.groups).find(Boolean);
}

function checkOf({ ancestorTitles, title, status, failureMessages = [] }: TestResult): Check {
  const what = [...ancestorTitles.slice(1), title].join(' › ');
  const reason = failureMessages[0]?.split('\n')[0] ?? '';
  return { what, fault: status === 'passed' ? undefined : `${status} ${reason}`.trim() };
}
