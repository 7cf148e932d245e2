import { kindOf } from '@adorn/core/backend';
import type { ReadResourceResult } from '@modelcontextprotocol/server';

import type { Protocol, ProtocolServer } from './protocol.js';
import type { ServedResource } from './serve-options.js';

interface KnownResource {
  readonly resource: ServedResource;
  readonly template: ResourceTemplate;
}

/** Lets clients list, read and subscribe to resources. Returns the URIs that the client of this server is subscribed to. */
export function serveResources(
  server: ProtocolServer,
  resources: readonly ServedResource[],
  { ResourceNotFoundError }: Pick<Protocol, 'ResourceNotFoundError'>,
): ReadonlySet<string> {
  const known: KnownResource[] = resources.map((resource) => ({
    resource,
    template: new ResourceTemplate(resource.uri),
  }));
  const subscribed = new Set<string>();
  server.setRequestHandler('resources/list', () => ({
    resources: known.filter(({ template }) => !template.isTemplate).map(({ resource }) => told(resource)),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: known
      .filter(({ template }) => template.isTemplate)
      .map(({ resource: { uri: uriTemplate, ...resource } }) => ({ uriTemplate, ...described(resource) })),
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    for (const { resource, template } of known) {
      const variables = template.match(uri);
      if (variables !== undefined) return contentsOf(uri, resource, await resource.read(uri, variables));
    }
    throw new ResourceNotFoundError(uri);
  });
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    if (!known.some(({ template }) => template.match(uri) !== undefined))
      throw new ResourceNotFoundError(uri);
    subscribed.add(uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });
  return subscribed;
}

function told({ uri, ...resource }: ServedResource): { uri: string; name: string } {
  return { uri, ...described(resource) };
}

function described({ name, description, mimeType }: Omit<ServedResource, 'uri'>) {
  return {
    name,
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
  };
}

function contentsOf(uri: string, { mimeType }: ServedResource, content: unknown): ReadResourceResult {
  const typed = { uri, ...(mimeType !== undefined && { mimeType }) };
  if (typeof content === 'string') return { contents: [{ ...typed, text: content }] };
  if (content instanceof Uint8Array)
    return { contents: [{ ...typed, blob: Buffer.from(content).toString('base64') }] };
  throw new Error(`The resource "${uri}" gave ${kindOf(content)}. Return a string or a Uint8Array.`);
}

/** Characters of a URI that a placeholder does not stand for. */
const SEGMENT = '([^/?#]+)';

/** A URI with placeholders such as `{id}`, each for one segment. */
class ResourceTemplate {
  private readonly names: readonly string[];
  private readonly pattern: RegExp;

  constructor(readonly uri: string) {
    this.names = [...uri.matchAll(/\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].map(([, name = '']) => name);
    const parts = uri
      .split(/\{[A-Za-z_][A-Za-z0-9_]*\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    this.pattern = new RegExp(`^${parts.join(SEGMENT)}$`);
  }

  get isTemplate(): boolean {
    return this.names.length > 0;
  }

  /** The values of the placeholders; undefined if the URI is of another form. */
  match(uri: string): Record<string, string> | undefined {
    if (uri.length > LONGEST_URI) return undefined;
    const values = this.pattern.exec(uri)?.slice(1);
    return (
      values && Object.fromEntries(this.names.map((name, index) => [name, decoded(values[index] ?? '')]))
    );
  }
}

const LONGEST_URI = 4_096;

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
