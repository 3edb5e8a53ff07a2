import type { Background } from './job-runner.ts'

/**
 * Background work that begins in the next turn of the event loop, so that nobody who has just opened an engine waits
 * for what it needs to be loaded. Doesn't keep the process alive for that. What `begin` throws goes to `onFailure`,
 * which must not throw.
 */
export function beginLater(
  begin: () => Promise<Background | undefined>,
  onFailure: (error: unknown) => void,
): Background {
  let background: Background | undefined
  let beginning: Promise<void> | undefined
  const run = async () => {
    try {
      background = await begin()
    } catch (error) {
      onFailure(error)
    }
  }
  const turn = setImmediate(() => {
    beginning = run()
  })
  turn.unref()
  return {
    // What hasn't begun looks for work when it begins.
    wake: () => background?.wake(),
    stop: async () => {
      clearImmediate(turn)
      await beginning
      await background?.stop()
    },
  }
}
