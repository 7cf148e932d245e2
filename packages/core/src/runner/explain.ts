import { LlmAgentNode } from '../agents/agent-nodes.js';
import type { ArtifactService } from '../artifacts/artifact.service.js';
import type { Content, GenerateContentConfig } from '../content/genai-types.js';
import type { SessionKey } from '../events/session.js';
import type { AgentNode } from '../invocation/agent-node.js';
import type { MemoryService } from '../memory/memory.service.js';
import { Model, type ModelRequest, type ProviderToolKind } from '../models/model.js';
import { InMemorySessionService } from '../sessions/in-memory-session.service.js';
import { ownState } from '../sessions/session-record.js';
import type { SessionService } from '../sessions/session.service.js';
import type { ConversationAddress, RunInput } from './run-input.js';
import type { RunnerFields } from './runner.js';

/** The message whose request is explained. */
export type ExplainInput = ConversationAddress &
  Pick<RunInput, 'message' | 'stateDelta' | 'config' | 'signal'>;

/** The first request that a message makes an agent send to its model. */
export interface Explanation {
  /** The names from the root down to the agent, joined by `/`. */
  readonly agent: string;
  /** The name of the agent's model. */
  readonly model: string;
  /** System instruction, tools and settings, before a provider's dialect. */
  readonly config: Readonly<GenerateContentConfig>;
  readonly contents: readonly Content[];
}

/** The first request of a run, or the call that comes before it. */
export interface Finding {
  explanation?: Explanation;
  /** The tool that would run before the model is called. */
  call?: string;
}

/**
 * The fields of a runner for explaining: models do not answer, tools do not run, and the session is a copy, so nothing is
 * stored.
 *
 * @param found called once, with the first request or call
 */
export async function explainingFields(
  fields: RunnerFields,
  key: SessionKey,
  found: (finding: Finding) => void,
): Promise<RunnerFields> {
  const { services, root } = fields;
  return {
    ...fields,
    root: silent(root, undefined, found),
    services: {
      ...services,
      sessions: await copyOf(services.sessions, key),
      artifacts: withoutWrites(services.artifacts),
      memory: withoutWrites(services.memory),
    },
    compactor: undefined,
    dispose: () => Promise.resolve(),
  };
}

/** A copy of the node and all nodes below it, with another model and dispatcher. */
function silent(
  node: AgentNode,
  parentAgent: AgentNode | undefined,
  found: (finding: Finding) => void,
): AgentNode {
  const copy = Object.create(node) as { -readonly [Field in keyof AgentNode]: AgentNode[Field] };
  const set = (name: string, value: unknown): void => {
    Object.defineProperty(copy, name, { value });
  };
  set('parentAgent', parentAgent);
  set(
    'subAgents',
    node.subAgents.map((child) => silent(child, copy, found)),
  );
  if (node instanceof LlmAgentNode) {
    set('model', new SilentModel(node.model, node.path, found));
    set('dispatcher', {
      dispatchAll: ([call]: readonly { readonly entry: { readonly tool: { readonly name: string } } }[]) => {
        found({ call: call?.entry.tool.name ?? '' });
        return new Promise(() => undefined);
      },
    });
  }
  return copy;
}

/** Has the properties of the model, reports its first request, and never answers. */
class SilentModel extends Model {
  readonly name: string;

  constructor(
    private readonly inner: Model,
    private readonly agent: string,
    private readonly found: (finding: Finding) => void,
  ) {
    super();
    this.name = inner.name;
  }

  override get supportsSchemaBesideTools(): boolean {
    return this.inner.supportsSchemaBesideTools;
  }

  override get supportsFunctionsBesideProviderTools(): boolean {
    return this.inner.supportsFunctionsBesideProviderTools;
  }

  override supportsProviderTool(kind: ProviderToolKind): boolean {
    return this.inner.supportsProviderTool(kind);
  }

  // eslint-disable-next-line require-yield -- it never answers
  override async *generate({ config, contents }: ModelRequest): AsyncGenerator<never, void, undefined> {
    const { agent, name: model } = this;
    this.found({ explanation: { agent, model, config, contents: [...contents] } });
    await new Promise(() => undefined);
  }
}

/** A store in memory with a copy of the conversation, and the state of its application and user. */
async function copyOf(sessions: SessionService, key: SessionKey): Promise<SessionService> {
  const copy = new InMemorySessionService();
  const session = await sessions.getSession(key);
  const { appName, userId } = key;
  const [latest] =
    session === undefined ? await sessions.listSessions({ appName, userId }, { limit: 1 }) : [session];
  if (session !== undefined) {
    const { state, events, title } = session;
    const stateUpdates = await sessions.stateUpdates(key);
    await copy.importSession(key, { state, events, title, stateUpdates });
  } else await copy.createSession(key);
  const shared = Object.entries(latest?.state ?? {}).filter(([name]) => !(name in ownState({ [name]: 0 })));
  await copy.updateSession(key, Object.fromEntries(shared));
  return copy;
}

type Writing = ArtifactService | MemoryService;

/** Wraps a service: reads are passed on, writes are dropped. */
function withoutWrites<Service extends Writing>(service: Service): Service {
  const copy = Object.create(service) as Service;
  const drop = (): Promise<undefined> => Promise.resolve(undefined);
  for (const name of ['delete', 'addSessionToMemory', 'addEvents', 'addMemory'])
    if (name in service) Object.defineProperty(copy, name, { value: drop });
  if ('versions' in service) {
    const save: ArtifactService['save'] = async (scope, name) => (await service.versions(scope, name)).length;
    Object.defineProperty(copy, 'save', { value: save });
  }
  return copy;
}
