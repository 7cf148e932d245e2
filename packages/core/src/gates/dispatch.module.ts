import { ContainerModule } from 'inversify';

import { AuthGate } from './auth.gate.js';
import { ConfirmationGate } from './confirmation.gate.js';
import { RepeatGate } from './repeat.gate.js';
import { RunGate } from './run.gate.js';
import { ShapeGate } from './shape.gate.js';
import { ToolPolicies } from '../tools/policies/policy.js';
import { ToolDispatcher, ToolGates } from './tool-dispatcher.js';
import type { ToolGate } from './tool-call.js';

/** The gates in order. This list alone decides the order. The policies of tools may be absent. */
const gatesInOrder = (policies: ToolPolicies | undefined): readonly ToolGate[] => [
  new ShapeGate(),
  new RepeatGate(),
  new ConfirmationGate(),
  new AuthGate(),
  new RunGate(policies),
];

/** Binds the dispatcher and its gates. */
export const dispatchModule = new ContainerModule(({ bind }) => {
  bind(ToolGates)
    .toDynamicValue((context) => gatesInOrder(context.get(ToolPolicies, { optional: true })))
    .inSingletonScope();
  bind(ToolDispatcher)
    .toDynamicValue((context) => new ToolDispatcher(context.get(ToolGates)))
    .inSingletonScope();
});
