import { Socket } from 'node:net';

import { recorded } from '@adorn/testing';

import { RECORDED_WIRES } from './recorded-wires.js';
import { converse } from './long-conversation.js';

// A process without a network and without a key, which replays the conversation and prints it:
//   replay.child.js WIRE CASSETTE [INSTRUCTION]
Socket.prototype.connect = () => {
  throw new Error('A replay connects to nothing.');
};
const [, , name, cassette = '', instruction] = process.argv;
const wire = RECORDED_WIRES.find((one) => one.name === name);
if (!wire) throw new Error(`There is no wire ${String(name)}.`);
const model = recorded(wire.model('http://127.0.0.1:9', 1), cassette, { mode: 'replay' });
try {
  process.stdout.write(await converse(model, instruction));
  model.assertDone();
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
