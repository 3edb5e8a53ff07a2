import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@gateleg/contract/client'
import type { Api } from '@gateleg/domain/api'
import type { Column } from './handwritten/rows.ts'
import { LoadClient } from './load-client.ts'
import { makeWantedIndexes } from './make-wanted-indexes.ts'
import { type CommandRun, runCommand } from './run-command.ts'
import { type RunningServer, spawnServer } from './spawn-server.ts'
import type { StorageUnderTest } from './storages.ts'

/** Our server, with somebody signed up and a base of theirs. */
export interface Ours extends RunningServer {
  readonly api: Api
  readonly token: string
  readonly baseId: string
  /** How SQL names a table of ours. */
  sqlNameOf(tableId: string): Promise<string>
  /** Has the background make the indexes that queries have asked for, and waits until the table has so many. */
  makeIndexes(tableId: string, count: number): Promise<void>
}

export interface Handwritten extends RunningServer {
  /** Creates a table; returns its id. */
  createTable(columns: readonly Column[]): Promise<string>
}

export interface ContendersOptions {
  /** The file of the command that starts our server. */
  readonly command: string
  readonly storage: StorageUnderTest
  /** Where the data goes: a real disk, as commits are synced. */
  readonly folder: string
  /** Flags of Node that both sides get. */
  readonly flags: readonly string[]
  /** Flags of Node that our side gets, to look into it. */
  readonly flagsOfOurs: readonly string[]
}

/** Starts servers, each with data of its own. */
export class Contenders {
  readonly #options: ContendersOptions
  readonly #running: RunningServer[] = []
  #started = 0

  constructor(options: ContendersOptions) {
    this.#options = options
  }

  /** Starts our server, with more in its environment where that is given. */
  async startOurs(more: Readonly<Record<string, string>> = {}): Promise<Ours> {
    const { command, storage, flags, flagsOfOurs } = this.#options
    const folder = this.#newFolder()
    const server = await this.#start({
      program: command,
      env: { ...(await storage.ours(folder)), HOST: '127.0.0.1', PORT: '0', ...more },
      flags: [...flags, ...flagsOfOurs],
      folder,
    })
    const baseUrl = `${server.url}/api`
    const { accessToken } = await createClient({ baseUrl }).accounts.signUp({
      email: 'bench@example.com',
      password: 'as fast as it gets 1',
    })
    const api = createClient({ baseUrl, token: accessToken })
    const [space] = await api.spaces.listSpaces({})
    const base = await api.bases.createBase({ spaceId: space?.id ?? '', name: 'Bench' })
    const sqlNameOf = async (tableId: string) => {
      const { dbTableName } = await api.tables.getTable({ baseId: base.id, tableId })
      return storage.tableName(dbTableName)
    }
    const makeIndexes = async (tableId: string, count: number) => {
      await makeWantedIndexes({ storage, folder, tableId, count })
    }
    return { ...server, api, token: accessToken, baseId: base.id, sqlNameOf, makeIndexes }
  }

  /** Starts our server on data that are there, where the environment says. */
  startOursOn(env: Readonly<Record<string, string>>): Promise<RunningServer> {
    const { command, flags } = this.#options
    const more = { HOST: '127.0.0.1', PORT: '0', ...env }
    return this.#start({ program: command, env: more, flags, folder: this.#newFolder() })
  }

  /** Runs our command on data, until it ends. */
  runOurs(args: readonly string[], env: Readonly<Record<string, string>>): Promise<CommandRun> {
    const { command, flags } = this.#options
    return runCommand({ program: command, args, env, flags })
  }

  async startHandwritten({ isGrouping = false } = {}): Promise<Handwritten> {
    const { storage, flags } = this.#options
    const folder = this.#newFolder()
    const server = await this.#start({
      ...(await storage.handwritten(folder, isGrouping)),
      flags,
      folder,
    })
    const client = new LoadClient({ url: server.url, connections: 1 })
    const createTable = async (columns: readonly Column[]) => {
      const body = JSON.stringify({ columns })
      const answer = await client.send({ method: 'POST', path: '/table', body })
      return JSON.parse(answer.toString('utf8')).id as string
    }
    return { ...server, createTable }
  }

  /** Starts a handwritten server that reads the tables of ours, with SQL that somebody would write for them. */
  async startBeside(ours: Ours): Promise<RunningServer> {
    const { storage, flags } = this.#options
    return this.#start({
      ...(await storage.besideOurs(ours.folder)),
      flags,
      folder: this.#newFolder(),
    })
  }

  /** Starts a handwritten server that keeps files, on whichever storage. */
  startFileServer(): Promise<RunningServer> {
    const { flags } = this.#options
    const folder = this.#newFolder()
    const program = join(import.meta.dirname, 'handwritten', 'file-server.ts')
    return this.#start({ program, args: ['--folder', join(folder, 'files')], flags, folder })
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.#running.splice(0).map((server) => server.stop()))
  }

  async #start(options: Parameters<typeof spawnServer>[0]): Promise<RunningServer> {
    const server = await spawnServer(options)
    this.#running.push(server)
    return server
  }

  #newFolder(): string {
    this.#started++
    const folder = join(this.#options.folder, `server-${this.#started}`)
    mkdirSync(folder, { recursive: true })
    return folder
  }
}
