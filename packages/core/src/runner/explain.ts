import { LlmAgentNode } from '../agents/agent-nodes.js';
import type { ArtifactService } from '../artifacts/artifact.service.js';
import type { Content, GenerateContentConfig } from '../content/genai-types.js';
import type { ToolCall } from '../dispatch/tool-call.js';
import type { SessionKey } from '../events/session.js';
import type { AgentNode } from '../invocation/agent-node.js';
import type { Model } from '../models/model.js';
import { InMemorySessionService } from '../sessions/in-memory-session.service.js';
import type { SessionService } from '../sessions/session.service.js';
import { scopeOf } from '../state/state.js';
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
      artifacts: dropWrites(services.artifacts),
      // The credential of an answer. What is obtained or refreshed on the way is stored by `auth`.
      credentials: withMethods(services.credentials, { save: drop }),
      memory: withMethods(services.memory, { addSessionToMemory: drop, addEvents: drop, addMemory: drop }),
    },
    compactor: undefined,
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
    set('model', silentModel(node.model, node.path, found));
    set('dispatcher', {
      dispatchAll: ([call]: readonly ToolCall[]) => {
        if (call === undefined) return Promise.resolve([]);
        found({ call: call.entry.tool.name });
        return new Promise(() => undefined);
      },
    });
  }
  return copy;
}

/** The model, which reports its first request and never answers. */
function silentModel(model: Model, agent: string, found: (finding: Finding) => void): Model {
  return withMethods(model, {
    // eslint-disable-next-line require-yield -- it never answers
    async *generate({ config, contents }) {
      found({ explanation: { agent, model: model.name, config, contents: [...contents] } });
      await new Promise(() => undefined);
    },
  });
}

/** A store in memory with a copy of the conversation, and the state of its application and user. */
export async function copyOf(sessions: SessionService, key: SessionKey): Promise<SessionService> {
  const copy = new InMemorySessionService();
  const session = await sessions.getSession(key);
  const { appName, userId } = key;
  const latest = session ?? (await sessions.listSessions({ appName, userId }, { limit: 1 })).at(0);
  if (session !== undefined) await copy.importSession(key, session);
  else await copy.createSession(key);
  const shared = Object.entries(latest?.state ?? {}).filter(([name]) => scopeOf(name) !== 'session');
  await copy.updateSession(key, Object.fromEntries(shared));
  return copy;
}

/** Drops what is written; a saved file gets the version that it would have. */
function dropWrites(service: ArtifactService): ArtifactService {
  const versionOf = async (scope: SessionKey, name: string): Promise<number> =>
    (await service.versions(scope, name)).length;
  return withMethods(service, { save: versionOf, saveStream: versionOf, delete: drop });
}

function drop(): Promise<void> {
  return Promise.resolve();
}

/** The service with other methods in place of its own. All others are called on the service itself, with its private fields. */
function withMethods<Service extends object>(service: Service, methods: Partial<Service>): Service {
  return new Proxy(service, {
    get(_service, name) {
      if (Object.hasOwn(methods, name)) return methods[name as keyof Service];
      const value: unknown = Reflect.get(service, name);
      return typeof value === 'function' ? (value.bind(service) as unknown) : value;
    },
  });
}
