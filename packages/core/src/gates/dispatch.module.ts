import { ContainerModule, type Newable } from 'inversify';

import { AuthGate } from './auth.gate.js';
import { ConfirmationGate } from './confirmation.gate.js';
import { RepeatGate } from './repeat.gate.js';
import { RunGate } from './run.gate.js';
import { ShapeGate } from './shape.gate.js';
import { ToolPolicies } from '../tools/policies/policy.js';
import { ToolDispatcher, ToolGates } from './tool-dispatcher.js';
import type { ToolGate } from './tool-call.js';

/** The gates in order. This list alone decides the order. */
const GATES: readonly Newable<ToolGate>[] = [ShapeGate, RepeatGate, ConfirmationGate, AuthGate, RunGate];

/** Binds the dispatcher and its gates. */
export const dispatchModule = new ContainerModule(({ bind }) => {
  bind(ToolGates)
    .toDynamicValue((context) => {
      // The run gate takes the policies, which may be absent.
      const policies = context.get(ToolPolicies, { optional: true });
      return GATES.map((Gate) => new Gate(policies));
    })
    .inSingletonScope();
  bind(ToolDispatcher)
    .toDynamicValue((context) => new ToolDispatcher(context.get(ToolGates)))
    .inSingletonScope();
});
