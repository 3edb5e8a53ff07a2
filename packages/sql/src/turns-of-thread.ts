import { ProcessorTurns } from './core/processor-turns.ts'

/** A thread's own clock and event loop; its `globalThis` has both. */
export interface Thread {
  readonly performance: { now(): number }
  setImmediate(call: () => void): unknown
}

const turnsByThread = new WeakMap<Thread, ProcessorTurns>()

/** The turns of a thread, which all storages share that are open in it. */
export function turnsOfThread(thread: Thread): ProcessorTurns {
  const known = turnsByThread.get(thread)
  if (known) return known
  const { performance: clock } = thread
  const turns = new ProcessorTurns({
    now: () => clock.now(),
    nextTurn: (call) => thread.setImmediate(call),
  })
  turnsByThread.set(thread, turns)
  return turns
}
