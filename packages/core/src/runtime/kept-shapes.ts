/**
 * The last object of each class of which a turn makes some. A garbage collection drops the hidden class of objects of
 * which none is alive, and with it the machine code of every function that knows it: the next hundreds of turns of a
 * server that was idle at that moment would take two to four times as long. Kept are one run with its session, and what
 * its last call was made of, until the next run takes their place.
 */
export const KEPT_SHAPES: Record<
  'run' | 'request' | 'answer' | 'stream' | 'ids' | 'queue' | 'watch' | 'waiting',
  object | undefined
> = {
  run: undefined,
  request: undefined,
  answer: undefined,
  stream: undefined,
  ids: undefined,
  queue: undefined,
  watch: undefined,
  waiting: undefined,
};
