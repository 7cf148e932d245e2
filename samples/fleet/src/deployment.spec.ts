import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Fleet } from '@adorn/fleet';
import { parse, parseAllDocuments } from 'yaml';

import { probesOf } from './probes.js';

const SAMPLE = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = ['machine', 'server', 'worker'].map((name) => read(`src/${name}.ts`)).join('\n');

/** Read by libraries, not by the sample. */
const FOREIGN_VARIABLES = ['ADORN_MODEL', 'GEMINI_API_KEY'];

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface Container {
  readonly image: string;
  readonly command: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector: Readonly<Record<string, unknown>>;
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly containers: readonly [Container];
        readonly terminationGracePeriodSeconds?: number;
      };
    };
    readonly scaleTargetRef: { readonly name: string };
    readonly metrics: readonly [{ readonly external: { readonly metric: { readonly name: string } } }];
  };
}
interface Service {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly image: string;
  readonly profiles?: readonly string[];
  readonly deploy?: { readonly replicas: number };
}

const manifests = readdirSync(`${SAMPLE}kubernetes`).flatMap((file) =>
  parseAllDocuments(read(`kubernetes/${file}`)).map((document) => document.toJS() as Manifest),
);
const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
const { services } = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, Service> };
const probes = probesOf({
  counts: () => Promise.resolve({ waiting: 3, scheduled: 0, parked: 1, oldestMs: 1500 }),
} as Fleet);

describe('the manifests for Kubernetes', () => {
  it.each(deployments.map((deployment) => [deployment.metadata.name, deployment] as const))(
    'of %s start a program that is there, with variables that it reads',
    (_name, { spec }) => {
      const [{ command, env }] = spec.template.spec.containers;
      expectProgram(command);
      expectVariables(env.map(({ name }) => name));
      expect(spec.selector['matchLabels']).toEqual(spec.template.metadata.labels);
    },
  );

  it.each(deployments.map((deployment) => [deployment.metadata.name, deployment] as const))(
    'of %s probe paths that it answers, at the port that it listens on',
    async (_name, { spec }) => {
      const [{ env, ports, startupProbe, livenessProbe, readinessProbe }] = spec.template.spec.containers;
      for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
        expect((await probes.request(httpGet.path)).status).toBe(200);
        const port = ports.find(({ name }) => name === httpGet.port)?.containerPort;
        expect(env.find(({ name }) => name === 'PORT')?.value).toBe(String(port));
      }
    },
  );

  it('give a worker longer to end than it takes', () => {
    const worker = deployments.find(({ metadata }) => metadata.name === 'orders-worker');
    const graceMs = Number(/worker\.stop\((\S+)\)/.exec(SOURCES)?.[1]?.replace('_', ''));
    expect(worker?.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(graceMs / 1000);
  });

  it('scale the workers by a metric that the server has', async () => {
    const [scaler] = manifests.filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
    expect(deployments.map(({ metadata }) => metadata.name)).toContain(scaler?.spec.scaleTargetRef.name);
    const metric = scaler?.spec.metrics[0].external.metric.name ?? 'none';
    expect(await (await probes.request('/metrics')).text()).toContain(`\n${metric} 3\n`);
  });
});

describe('compose.yaml', () => {
  it('starts a server and three workers, from programs that are there, with variables that they read', () => {
    const { server, worker } = services;
    expect(worker?.deploy?.replicas).toBe(3);
    expectProgram(server?.command ?? []);
    expectVariables([...Object.keys(server?.environment ?? {}), ...Object.keys(worker?.environment ?? {})]);
    expectProgram(JSON.parse(/^CMD (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '[]') as string[]);
  });

  it('starts Restate only in its profile, at the addresses that the machines are told', () => {
    expect(services['restate']?.profiles).toEqual(['restate']);
    const { RESTATE_INGRESS, RESTATE_ADMIN, RESTATE_WORKERS } = services['worker']?.environment ?? {};
    expect(RESTATE_INGRESS).toBe('${RESTATE:+http://restate:8080}');
    expect(RESTATE_ADMIN).toBe('${RESTATE:+http://restate:9070}');
    expect(RESTATE_WORKERS).toBe('${RESTATE:+http://worker:9080}');
  });
});

it('is not ready while the database does not answer', async () => {
  const down = probesOf({ counts: () => Promise.reject(new Error('down')) } as Fleet);
  expect((await down.request('/readyz')).status).toBe(503);
  expect((await down.request('/healthz')).status).toBe(200);
});

function expectProgram([node, program = 'none']: readonly string[]): void {
  expect(node).toBe('node');
  const source = program.replace(/^samples\/fleet\/build\/(.*)\.js$/, 'src/$1.ts');
  expect([source, existsSync(`${SAMPLE}${source}`)]).toEqual([source, true]);
}

function expectVariables(names: readonly string[]): void {
  const unknown = names.filter((name) => !FOREIGN_VARIABLES.includes(name) && !SOURCES.includes(name));
  expect(unknown).toEqual([]);
}

function read(path: string): string {
  return readFileSync(`${SAMPLE}${path}`, 'utf8');
}
