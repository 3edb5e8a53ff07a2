import { ProcessorTurns } from './core/processor-turns.ts'

/** What a thread has of its own: its clock and its event loop. Its `globalThis` is one. */
export interface Thread {
  readonly performance: { now(): number }
  setImmediate(call: () => void): unknown
}

const turnsByThread = new WeakMap<Thread, ProcessorTurns>()

/** The turns of a thread: one and the same for all storages that are open in it, of whichever kind. */
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
