/**
 * Keeps alive the last object of each class that a turn creates. A garbage collection drops the hidden class of
 * objects that are all dead, and with it the optimised code that depends on it. On an idle server the next few
 * hundred turns would then take two to four times as long. Kept: one run with its session and the objects of its last
 * call, until the next run replaces them.
 */
export const KEPT_SHAPES: Record<
  'run' | 'stage' | 'turn' | 'step' | 'request' | 'answer' | 'stream' | 'ids' | 'watch' | 'calls' | 'waiting',
  object | undefined
> = {
  run: undefined,
  request: undefined,
  answer: undefined,
  stream: undefined,
  ids: undefined,
  stage: undefined,
  turn: undefined,
  step: undefined,
  watch: undefined,
  calls: undefined,
  waiting: undefined,
};
