import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { memoryMostBytes, watchHighest } from './measure-process.ts'

export interface Command {
  /** The path of the program. */
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** The flags of Node. */
  readonly flags: readonly string[]
}

/** What a command took. */
export interface CommandRun {
  readonly tookMs: number
  /** Bytes of memory, at most. */
  readonly memoryMost: number
}

/** Runs a command until it ends, and rejects with its words where it fails. */
export async function runCommand({ program, args, env, flags }: Command): Promise<CommandRun> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, [...flags, program, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  })
  const ended = once(child, 'close')
  const memory = watchHighest(() => memoryMostBytes(child.pid ?? 0))
  let words = ''
  for await (const text of child.stderr.setEncoding('utf8')) words += text
  const [code] = await ended
  const memoryMost = memory.stop()
  if (code !== 0) throw new Error(`The command ${args[0]} ended with ${code}: ${words}`)
  return { tookMs: performance.now() - startedMs, memoryMost }
}
