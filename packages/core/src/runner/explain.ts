import { type ArtifactDownload, ArtifactService } from '../stores/artifacts/artifact.service.js';
import type { AuthCredential } from '../auth/auth-credential.js';
import { type CredentialScope, CredentialService } from '../auth/credential.service.js';
import type { Content, GenerateContentConfig, Part } from '../events/genai-types.js';
import type { Session, SessionKey } from '../events/session.js';
import type { BesideRequest, ClosedToolsCount, DryRun } from '../run/invocation-services.js';
import {
  type MemoryEntry,
  type MemoryScope,
  MemoryService,
  type SearchMemoryOptions,
} from '../stores/memory/memory.service.js';
import type { Model, ModelRequest, StablePart } from '../models/model.js';
import { InMemorySessionService } from '../stores/sessions/in-memory-session.service.js';
import type { SessionRecord } from '../stores/sessions/session-record.js';
import type { SessionService } from '../stores/sessions/session.service.js';
import { scopeOf } from '../events/state.js';
import type { ConversationAddress, RunInput } from './begin/run-input.js';
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
  /** The conversation as the request sends it, oldest first. */
  readonly contents: readonly Content[];
  /** How much of it later requests begin with. */
  readonly stable?: StablePart;
  /** What fills the rest of the system instruction: placeholders as they are written, or `a function`. */
  readonly changing?: readonly string[];
  /** Tools that the model has to open or to find, by the function that does it; absent if there are none. */
  readonly closed?: readonly ClosedToolsCount[];
  /** What the rules of data know of the declared tools, by their names: `{ search_web: ['untrusted', 'outside'] }`; absent if there is nothing. */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
}

/** The first request of a run, or the call that comes before it. */
export interface Finding {
  explanation?: Explanation;
  /** The tool that would run before the model is called. */
  call?: string;
}

/**
 * The fields of a runner for explaining: its runs only rehearse, and the session is a copy, so nothing is stored.
 *
 * @param sessions the copy
 * @param found called once, with the first request or call
 */
export async function explainingFields(
  { services, ...fields }: RunnerFields,
  sessions: SessionService,
  found: (finding: Finding) => void,
): Promise<RunnerFields> {
  return {
    ...fields,
    // A run that is active in the conversation is no reason to wait.
    config: { ...fields.config, takeOverAfter: 0 },
    services: {
      ...services,
      dryRun: new FirstStep(found),
      observe: undefined,
      sessions,
      artifacts: new ReadOnlyArtifacts(services.artifacts),
      // The credential of an answer. What is obtained or refreshed on the way is stored by `auth`.
      credentials: new ReadOnlyCredentials(services.credentials),
      memory: new ReadOnlyMemory(services.memory),
    },
    compactor: undefined,
  };
}

/** Reports the first request or call of a run, which then waits until it is cancelled. */
class FirstStep implements DryRun {
  constructor(private readonly found: (finding: Finding) => void) {}

  request(
    { path, model }: { readonly path: string; readonly model: Model },
    { config, contents, stable }: ModelRequest,
    { changing, closed, labels }: BesideRequest,
  ): Promise<never> {
    const counted = closed.length > 0 && { closed };
    const labelled = Object.keys(labels).length > 0 && { labels };
    const request = {
      config,
      contents: [...contents],
      ...(stable && { stable }),
      changing,
      ...counted,
      ...labelled,
    };
    this.found({ explanation: { agent: path, model: model.name, ...request } });
    return new Promise(() => undefined);
  }

  call(tool: string): Promise<never> {
    this.found({ call: tool });
    return new Promise(() => undefined);
  }
}

/** Reads the files of another service. A file that is saved gets the version that it would have, and is dropped. */
class ReadOnlyArtifacts extends ArtifactService {
  constructor(private readonly files: ArtifactService) {
    super();
  }

  async save(scope: SessionKey, name: string): Promise<number> {
    return (await this.files.versions(scope, name)).length;
  }

  override async saveVersion(
    scope: SessionKey,
    name: string,
    _part: Part,
    version: number,
  ): Promise<boolean> {
    return (await this.save(scope, name)) === version;
  }

  override saveStream(scope: SessionKey, name: string): Promise<number> {
    return this.save(scope, name);
  }

  delete(): Promise<void> {
    return Promise.resolve();
  }

  load(scope: SessionKey, name: string, version?: number): Promise<Part | undefined> {
    return this.files.load(scope, name, version);
  }

  override openStream(
    scope: SessionKey,
    name: string,
    version?: number,
  ): Promise<ArtifactDownload | undefined> {
    return this.files.openStream(scope, name, version);
  }

  list(scope: SessionKey): Promise<string[]> {
    return this.files.list(scope);
  }

  versions(scope: SessionKey, name: string): Promise<number[]> {
    return this.files.versions(scope, name);
  }
}

/** Searches the memories of another service, and adds none. */
class ReadOnlyMemory extends MemoryService {
  constructor(private readonly memories: MemoryService) {
    super();
  }

  addSessionToMemory(): Promise<void> {
    return Promise.resolve();
  }

  addEvents(): Promise<void> {
    return Promise.resolve();
  }

  addMemory(): Promise<void> {
    return Promise.resolve();
  }

  searchMemory(scope: MemoryScope, query: string, options?: SearchMemoryOptions): Promise<MemoryEntry[]> {
    return this.memories.searchMemory(scope, query, options);
  }
}

/** Loads the credentials of another service, and saves none. */
class ReadOnlyCredentials extends CredentialService {
  constructor(private readonly credentials: CredentialService) {
    super();
  }

  load(scope: CredentialScope, key: string): Promise<AuthCredential | undefined> {
    return this.credentials.load(scope, key);
  }

  save(): Promise<void> {
    return Promise.resolve();
  }

  delete(): Promise<void> {
    return Promise.resolve();
  }
}

/**
 * A store in memory with a copy of the conversation, and the state of its application and user.
 *
 * @param change what is copied in the place of the conversation
 */
export async function copyOf(
  sessions: SessionService,
  key: SessionKey,
  change?: (session: Session | undefined) => SessionRecord,
): Promise<SessionService> {
  const copy = new InMemorySessionService();
  const session = await sessions.getSession(key);
  const { appName, userId } = key;
  const latest = session ?? (await sessions.listSessions({ appName, userId }, { limit: 1 })).at(0);
  const copied = change ? change(session) : session;
  if (copied) await copy.importSession(key, copied);
  else await copy.createSession(key);
  const shared = Object.entries(latest?.state ?? {}).filter(([name]) => scopeOf(name) !== 'session');
  await copy.updateSession(key, Object.fromEntries(shared));
  return copy;
}
