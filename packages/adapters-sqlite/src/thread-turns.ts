import { ProcessorTurns } from '@gateleg/sql/processor-turns'

/** The turns of this thread; all storages that are open in it share them. */
export const threadTurns = new ProcessorTurns({
  now: () => performance.now(),
  nextTurn: (call) => setImmediate(call),
})
