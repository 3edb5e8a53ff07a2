import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Milliseconds between two looks at what grows and shrinks. */
const everyMs = 100

/** Bytes of memory that a process has at this moment, as Linux counts them. */
export function memoryBytes(processId: number): number {
  const status = readFileSync(`/proc/${processId}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}

/** Bytes of memory that a process had at most until now; 0 once it has ended. */
export function memoryMostBytes(processId: number): number {
  const file = `/proc/${processId}/status`
  // One that has ended but wasn't waited for yet has a file without this line.
  const status = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}

/** Bytes of SQLite's log in the folder of a server; 0 where it stores elsewhere. */
export function logBytes(folder: string): number {
  const log = join(folder, 'gateleg.db-wal')
  return existsSync(log) ? statSync(log).size : 0
}

/** Looks at a figure again and again until it is stopped, which answers the highest one. */
export function watchHighest(look: () => number): { stop(): number } {
  let most = look()
  const timer = setInterval(() => {
    most = Math.max(most, look())
  }, everyMs)
  return {
    stop: () => {
      clearInterval(timer)
      return most
    },
  }
}
