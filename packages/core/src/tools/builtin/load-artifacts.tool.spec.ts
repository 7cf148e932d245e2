import { callsTool, callsTools, eventsOf, says, ScriptedModel } from '@adorn/testing';

import {
  ArtifactService,
  ContainerModule,
  createRunner,
  defineAgent,
  InMemoryArtifactService,
  loadArtifacts,
  type ModelResponse,
  type Part,
} from '../../index.js';

const KEY = { appName: 'clerk', userId: 'ada', sessionId: 's1' };

describe('loadArtifacts', () => {
  it('names the artifacts behind the conversation, and says nothing where there are none', async () => {
    const { requests: none } = await ask({}, says('Hello.'));
    const { requests: two } = await ask(
      { 'a.txt': { text: 'A' }, 'user:b"].txt': { text: 'B' } },
      says('Hello.'),
    );

    expect(none[0]?.contents).toHaveLength(1);
    expect(two[0]?.config).toEqual(none[0]?.config);
    expect(two[0]?.contents.at(-1)).toEqual({
      role: 'user',
      parts: [
        {
          text: 'Artifacts of this conversation: ["a.txt","user:b\\"].txt"]. To know what is in one, call load_artifacts with its name.',
        },
      ],
    });
  });

  it('names at most 200', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 203 }, (_, index) => [`f${String(index)}`, { text: 'x' }]),
    );

    const { requests } = await ask(files, says('Hello.'));

    expect(requests[0]?.contents.at(-1)?.parts?.[0]?.text).toContain(' and 3 more. ');
  });

  it('answers which exist, and shows their contents in the next request only', async () => {
    const { requests, events } = await ask(
      { 'a.txt': { text: 'The harbour.' } },
      callsTool('load_artifacts', { artifact_names: ['a.txt', 'b.txt', 'a.txt'] }, 'c1'),
      callsTool('load_artifacts', { artifact_names: ['b.txt'] }, 'c2'),
      says('Done.'),
    );

    const response = { loaded: [{ name: 'a.txt' }, { name: 'b.txt', error: 'not found' }] };
    expect(events.flatMap(({ functionResponses }) => functionResponses)[0]?.response).toEqual(response);
    expect(requests[1]?.contents.toSpliced(-2, 1).slice(-2)).toEqual([
      { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'load_artifacts', response } }] },
      { role: 'user', parts: [{ text: 'Artifact "a.txt":' }, { text: 'The harbour.' }] },
    ]);
    expect(JSON.stringify(requests[2]?.contents)).not.toContain('The harbour.');
    expect(JSON.stringify(events)).not.toContain('The harbour.');
  });

  it('shows what several calls of one answer asked for, each file once', async () => {
    const { requests } = await ask(
      { a: { text: 'A' }, b: { text: 'B' } },
      callsTools(
        { name: 'load_artifacts', args: { artifact_names: ['a'] } },
        { name: 'load_artifacts', args: { artifact_names: ['b', 'a'] } },
      ),
      says('Done.'),
    );

    expect(requests[1]?.contents.at(-1)?.parts).toEqual([
      { text: 'Artifact "a":' },
      { text: 'A' },
      { text: 'Artifact "b":' },
      { text: 'B' },
    ]);
  });

  it.each<[string, Part, Part | string]>([
    ['text in bytes as text', bytes('text/csv', 'a;b'), { text: 'a;b' }],
    ['JSON in bytes as text', bytes('application/vnd.api+json; charset=utf-8', '{}'), { text: '{}' }],
    ['an image as it is', bytes('image/png', 'x'), bytes('image/png', 'x')],
    [
      'a file elsewhere as it is',
      { fileData: { fileUri: 'gs://b/f' } },
      { fileData: { fileUri: 'gs://b/f' } },
    ],
    [
      'another file by its type',
      bytes('application/zip', 'x'),
      'is a file of type application/zip, which cannot be shown.',
    ],
    [
      'too many bytes by their type',
      { inlineData: { mimeType: 'image/png', data: 'A'.repeat(14_000_004) } },
      'is a file of type image/png, which is too large to be shown.',
    ],
    [
      'a long text cut',
      { text: 'x'.repeat(1_000_002) },
      { text: `${'x'.repeat(1_000_000)}\n[2 more characters are not shown]` },
    ],
  ])('shows %s', async (_what, artifact, shown) => {
    const { requests } = await ask(
      { a: artifact },
      callsTool('load_artifacts', { artifact_names: ['a'] }),
      says('Done.'),
    );

    expect(requests[1]?.contents.at(-1)?.parts).toEqual(
      typeof shown === 'string' ? [{ text: `Artifact "a" ${shown}` }] : [{ text: 'Artifact "a":' }, shown],
    );
  });

  it('ends no run where the artifacts fail: it is logged, and the model is told', async () => {
    const error = jest.spyOn(console, 'error').mockReturnValue();
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    class Broken extends InMemoryArtifactService {
      override list(): Promise<never> {
        throw new Error('store is down');
      }
    }

    const { events } = await ask(
      {},
      callsTool('load_artifacts', { artifact_names: ['a'] }),
      says('Well.'),
      new Broken(),
    );

    expect(events.flatMap(({ functionResponses }) => functionResponses)[0]?.response).toEqual({
      error: 'The artifacts cannot be read at the moment. Continue without them.',
    });
    expect(events.at(-1)?.text).toBe('Well.');
    expect(error).toHaveBeenCalledWith(
      expect.stringMatching(/artifacts could not be listed .*store is down/s),
    );
    error.mockRestore();
    warn.mockRestore();
  });

  it('tells the model of a file that is gone or cannot be read', async () => {
    const error = jest.spyOn(console, 'error').mockReturnValue();
    class Losing extends InMemoryArtifactService {
      override load(scope: typeof KEY, name: string): Promise<Part | undefined> {
        return name === 'gone' ? Promise.resolve(undefined) : Promise.reject(new Error('store is down'));
      }
    }

    const { requests } = await ask(
      { gone: { text: 'A' }, broken: { text: 'B' } },
      callsTool('load_artifacts', { artifact_names: ['gone', 'broken'] }),
      says('Well.'),
      new Losing(),
    );

    expect(requests[1]?.contents.at(-1)?.parts).toEqual([
      { text: 'Artifact "gone" does not exist any more.' },
      { text: 'Artifact "broken" cannot be read at the moment.' },
    ]);
    expect(error).toHaveBeenCalledTimes(1);
    error.mockRestore();
  });
});

function bytes(mimeType: string, content: string): Part {
  return { inlineData: { mimeType, data: Buffer.from(content).toString('base64') } };
}

/** Asks an agent that has the tool about these artifacts of Ada's. */
async function ask(files: Readonly<Record<string, Part>>, ...steps: (ModelResponse | ArtifactService)[]) {
  const last = steps.at(-1);
  const artifacts = last instanceof ArtifactService ? last : new InMemoryArtifactService();
  for (const [name, part] of Object.entries(files)) await artifacts.save(KEY, name, part);
  const answers = steps.filter((step): step is ModelResponse => !(step instanceof ArtifactService));
  const model = new ScriptedModel(...answers);
  const modules = [new ContainerModule(({ bind }) => void bind(ArtifactService).toConstantValue(artifacts))];
  const Clerk = defineAgent({ name: 'clerk', tools: [loadArtifacts()] });
  await using runner = await createRunner(Clerk, { model, modules });
  const events = await eventsOf(runner.run({ userId: 'ada', sessionId: 's1', message: 'Read.' }));
  return { requests: model.requests, events };
}
