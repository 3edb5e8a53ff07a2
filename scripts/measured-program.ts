import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

/** What a run of a program took. */
interface Measured {
  readonly code: number
  readonly seconds: number
  /** Its memory at most, and how much that is beyond that of the program that has only been loaded. */
  readonly mostMB: number
  readonly moreMB: number
}

/** Runs a program of Node and measures how long it takes, and how far its memory grows. */
export async function measureProgram(
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<Measured> {
  const began = performance.now()
  const child = spawn(process.execPath, words, {
    env: { PATH: process.env.PATH, ...variables },
    stdio: 'inherit',
  })
  const sizes: number[] = []
  const look = setInterval(() => sizes.push(memoryOf(child.pid)), 100)
  const [code] = await once(child, 'close')
  clearInterval(look)
  // The first sizes are those of the program that has only been loaded.
  const [first = 0] = sizes.filter((size) => size > 60)
  const mostMB = Math.round(Math.max(...sizes))
  const seconds = (performance.now() - began) / 1_000
  return { code, seconds, mostMB, moreMB: Math.round(mostMB - first) }
}

/** Megabytes of a process; 0 where that can't be told. */
function memoryOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
