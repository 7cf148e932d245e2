/** Counts the programs of this process that call no model. All copies of this package share it by the name of its symbol. */
const SKIPPING = Symbol.for('adorn:skipping-model-checks');

const shared = globalThis as { [SKIPPING]?: number };

/**
 * Until it is disposed of, runners are created in this process without `ready` of models and summarizers: a program that shows an
 * application, and calls no model, needs no API key. A model that is called nevertheless fails by itself.
 */
export function skipModelChecks(): Disposable {
  shared[SKIPPING] = (shared[SKIPPING] ?? 0) + 1;
  return {
    [Symbol.dispose]() {
      shared[SKIPPING] = (shared[SKIPPING] ?? 1) - 1;
    },
  };
}

/** True unless a program of this process calls no model. */
export function areModelsChecked(): boolean {
  return (shared[SKIPPING] ?? 0) === 0;
}
