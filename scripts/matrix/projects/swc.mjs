import { refuses, works } from '../outcome.mjs';
import { tsconfig } from '../tsconfig.mjs';
import { emitting } from './tsc.mjs';

const NO_SOURCE = refuses(
  'SCHEMA_MISSING',
  /no source, or more than one, that declares it was found for \S+orders\.js\. Set "sourceMap"/,
);

function compiledBySwc({ metadata, maps }) {
  return emitting({
    name: `swc, ${metadata ? 'metadata' : 'no metadata'}, ${maps ? 'source maps' : 'no source maps'}`,
    tools: 'typescript-5',
    emit: ['swc', 'src', '--out-dir', 'build', '--strip-leading-paths'],
    onDemand: maps ? works() : NO_SOURCE,
    files: {
      'tsconfig.json': tsconfig(),
      '.swcrc': {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: metadata },
        },
        module: { type: 'nodenext' },
        sourceMaps: maps,
      },
    },
  });
}

export const SWC = [
  compiledBySwc({ metadata: true, maps: true }),
  compiledBySwc({ metadata: true, maps: false }),
  compiledBySwc({ metadata: false, maps: true }),
  compiledBySwc({ metadata: false, maps: false }),
];
