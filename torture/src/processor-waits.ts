import { readFileSync } from 'node:fs'

/**
 * Milliseconds for which the main thread of a process and the thread that asks were ready to run and had
 * no processor, since they began: what a busy machine adds to an answer. 0 where there is no `/proc`.
 */
export function processorWaitsMs(processId: number | undefined): number {
  return (
    waitOf(`/proc/${processId}/task/${processId}/schedstat`) + waitOf('/proc/thread-self/schedstat')
  )
}

/** The second of three numbers: nanoseconds of waiting. */
function waitOf(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
