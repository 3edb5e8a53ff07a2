import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createClient } from '@gateleg/contract/client'
import type { Api } from '@gateleg/domain/api'
import { builtProgram } from './built-program.ts'

/** A server in a process of its own. */
export interface ServerProcess {
  /** Where it listens. */
  readonly url: string
  /** All operations, called over HTTP as the owner of the token. */
  api(token?: string, send?: typeof fetch): Api
  /** Its log so far; with LOG_LEVEL=error, what it failed at. */
  readonly log: () => string
  /** What it has said to its operator, on the error output. */
  readonly words: () => string
  readonly isAlive: () => boolean
  readonly processId: number | undefined
  /** Ends it at once, as a power cut does. */
  kill(): Promise<void>
}

/** A program that ended, and what it said. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const program = await builtProgram()

type Environment = Readonly<Record<string, string>>

/** Where the test command has compiled sources kept. */
const { NODE_COMPILE_CACHE } = process.env
const compileCache = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }

/** Runs the program to its end with nothing but these variables. */
export async function runProgram(words: readonly string[], variables: Environment): Promise<Ended> {
  const child = spawnProgram(words, variables)
  const [code] = await once(child.process, 'close')
  return { code, stdout: child.stdout(), stderr: child.stderr() }
}

/** Starts the program with nothing but these variables, to be killed in the middle of its work. */
export function startProgram(words: readonly string[], variables: Environment) {
  const { process: child } = spawnProgram(words, variables)
  const ended = once(child, 'exit')
  return {
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Starts a server on a free port; rejects with what it says when it ends instead. */
export async function startServer(variables: Environment): Promise<ServerProcess> {
  const {
    process: child,
    stdout,
    stderr,
  } = spawnProgram([], {
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'error',
    ...variables,
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.on('data', () => {
      const found = /listens on (http:\/\/[\d.]+:\d+)/.exec(stderr())?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', () => reject(new Error(`The server did not start: ${stderr()}`)))
  })
  let isKilled = false
  const isAlive = () => !isKilled && child.exitCode === null && child.signalCode === null
  return {
    url,
    api: (token, send) =>
      createClient({
        baseUrl: `${url}/api`,
        ...(token !== undefined && { token }),
        ...(send && { fetch: send }),
      }),
    log: () => stdout(),
    words: () => stderr(),
    isAlive,
    processId: child.pid,
    kill: async () => {
      if (!isAlive()) return
      const ended = once(child, 'exit')
      isKilled = true
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Starts the program with nothing but these variables; what it writes goes to the file that is open as `stdout`, where that is given. */
export function spawnProgram(
  words: readonly string[],
  variables: Environment,
  stdout: 'pipe' | number = 'pipe',
) {
  const child: ChildProcess = spawn(process.execPath, [program, ...words], {
    env: { PATH: process.env.PATH, ...compileCache, ...variables },
    stdio: ['ignore', stdout, 'pipe'],
  })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
    })
  }
  return { process: child, stdout: () => texts.stdout, stderr: () => texts.stderr }
}
