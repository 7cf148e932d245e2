import { BUILT_IN_NAMES } from './contestants.js';
import { MEASURES } from './measures/measures.js';
import { PEERS } from './peers.js';
import { TURN_KINDS } from './script.js';

export const HELP = `What a turn costs in Adorn, beside two floors and its peers.

  npm run bench -- [flags]

  --quick            fewer rounds and turns; start, turns, replay, growth and parallel tools only
  --adapters a,b     only these: ${[...BUILT_IN_NAMES, ...PEERS].join(', ')}
  --no-peers         install and run no peer
  --kinds A,B        only these kinds of turn: ${TURN_KINDS.join(', ')}
  --measures a,b     only these: ${MEASURES.join(', ')}
  --rounds n         how often each sample is taken (5; with --quick 3)
  --out file         where the JSON goes (results/latest.json in this package)
  --derivation       in its place, what the derivation of schemas costs (with --help its own flags)
  --stores           in its place, what durable storage costs (with --help its own flags)
  --server           in its place, what HTTP adds to a turn, beside Google's server (with --help its own flags)
  --toolboxes        in its place, the size of a request with 300 tools
  --tool-search      in its place, how often a search finds the tool; by meaning too with --embedder; --misses lists where it does not
  --prefix           in its place, bytes and cached share of a conversation of thirty turns on three wires: seconds
  --steering         in its place, from a message to a run that is open to the request that has it: ten seconds
  --live             in its place, what a live session adds to each frame of speech, beside its peers: two minutes
  --sandbox          in its place, the start and the calls of each sandbox of this machine: a minute
  --sizing           in its place, what one process serves: CPU, memory and rows of a turn on SQLite: half a minute
  --eval             in its place, cases of an evaluation a second, and what it adds to a run: half a minute
  --fleet            in its place, what a run costs that another machine accepts (with --help its own flags)
  --simulate         in its place, more machines than there are here, from what --fleet has measured
  --help             this text
`;
