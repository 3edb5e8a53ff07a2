import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export interface ServerProgram {
  /** The path of the program, which prints where it listens. */
  readonly program: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The flags of Node. */
  readonly flags: readonly string[]
  /** A folder of its own, for its output. */
  readonly folder: string
}

export interface RunningServer {
  readonly url: string
  /** The id of its process. */
  readonly pid: number
  /** Where it keeps what it keeps in files. */
  readonly folder: string
  /** Asks the server to end, and waits until it has. */
  stop(): Promise<void>
}

/** Milliseconds in which a server has to say where it listens. */
const startsWithinMs = 60_000
const pauseMs = 10

/**
 * Starts a server in a process of its own. What it prints goes to a file, as it would in production:
 * nobody who measures has to read it meanwhile.
 */
export async function spawnServer(options: ServerProgram): Promise<RunningServer> {
  const logFile = join(options.folder, 'output.log')
  const log = openSync(logFile, 'w')
  const child = spawn(
    process.execPath,
    [...options.flags, options.program, ...(options.args ?? [])],
    {
      stdio: ['ignore', log, log],
      env: { ...process.env, ...options.env },
    },
  )
  closeSync(log)
  const stop = () => stopServer(child)
  try {
    const url = await waitForUrl(child, logFile)
    return { url, pid: child.pid ?? 0, folder: options.folder, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function waitForUrl(child: ChildProcess, logFile: string): Promise<string> {
  const deadlineMs = performance.now() + startsWithinMs
  while (performance.now() < deadlineMs && child.exitCode === null) {
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(readFileSync(logFile, 'utf8'))
    if (found) return found[0]
    await pause(pauseMs)
  }
  throw new Error(`The server did not start: ${readFileSync(logFile, 'utf8').slice(0, 2_000)}`)
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}
