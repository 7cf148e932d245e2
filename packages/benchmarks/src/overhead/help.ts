import { BUILT_IN_NAMES } from './contestants.js';
import { MEASURES } from './measures/measures.js';
import { PEERS } from './peers.js';
import { TURN_KINDS } from './script.js';

export const HELP = `What a turn costs in Adorn, beside two floors and its peers.

  npm run bench -- [flags]

  --quick            fewer rounds and turns; import time, turns, growth and parallel tools only
  --adapters a,b     only these: ${[...BUILT_IN_NAMES, ...PEERS].join(', ')}
  --no-peers         install and run no peer
  --kinds A,B        only these kinds of turn: ${TURN_KINDS.join(', ')}
  --measures a,b     only these: ${MEASURES.join(', ')}
  --rounds n         how often each sample is taken (5; with --quick 3)
  --out file         where the JSON goes (results/latest.json in this package)
  --derivation       in its place, what the derivation of schemas costs (with --help its own flags)
  --stores           in its place, what durable storage costs (with --help its own flags)
  --help             this text
`;
