import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@gateleg/contract/client'
import type { Api } from '@gateleg/domain/api'
import { type ServerProcess, startServer } from '../../test/server-process.ts'
import type { Attack, Attacker, RawRequest, Target } from './attack.ts'
import { MemoryMeter } from './memory-meter.ts'
import { sendRaw } from './send-raw.ts'
import type { TortureStorage } from './storages.ts'
import { type Waits, type Watched, Watcher } from './watcher.ts'

/** What became of a server under an attack. */
export interface Outcome {
  readonly name: string
  readonly storage: string
  readonly seconds: number
  readonly watched: Watched
  readonly mostBytes: number
  /** How many answers had each status. */
  readonly statuses: ReadonlyMap<number, number>
  /** What was not as it has to be. */
  readonly faults: readonly string[]
}

/** What must hold while an attack is on. */
const bounds = { healthP99Ms: 100, readP99Ms: 250, bytes: 1024 ** 3 }

const password = 'A-good-password-1'

interface Circumstances {
  readonly storage: TortureStorage
  readonly isShort: boolean
  /** Whether the machine has other things to do: what is waited for a processor is not the server's. */
  readonly isBusy: boolean
  readonly say: (text: string) => void
}

/** Starts a server, attacks it and looks at what is left of it. */
export async function runAttack(attack: Attack, circumstances: Circumstances): Promise<Outcome> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateleg-torture-'))
  const run = new AttackRun(attack, circumstances, dataDir)
  try {
    return await run.run()
  } finally {
    await run.end()
    await rm(dataDir, { recursive: true, force: true })
  }
}

class AttackRun {
  readonly #attack: Attack
  readonly #circumstances: Circumstances
  readonly #dataDir: string
  readonly #statuses = new Map<number, number>()
  readonly #faults: string[] = []
  #server: ServerProcess | undefined

  constructor(attack: Attack, circumstances: Circumstances, dataDir: string) {
    this.#attack = attack
    this.#circumstances = circumstances
    this.#dataDir = dataDir
  }

  async run(): Promise<Outcome> {
    await this.#start()
    const bystander = await this.#newAttacker('bystander')
    const table = await bystander.api.tables.createTable({ baseId: bystander.baseId })
    const path = `/api/table/${table.id}/record?take=10`
    const watcher = new Watcher({
      url: this.#url,
      token: bystander.token,
      path,
      processId: this.#server?.processId,
    })
    const memory = new MemoryMeter(() => this.#server?.processId)
    const startedMs = performance.now()
    try {
      await this.#attack.run(this.#target())
    } catch (error) {
      this.#faults.push(`the attack ended with ${String(error)}`)
    }
    const seconds = (performance.now() - startedMs) / 1000
    const watched = await watcher.stop()
    const mostBytes = memory.stop()
    await this.#lookAfterwards(bystander, table.id)
    const outcome = { watched, mostBytes, statuses: this.#statuses, seconds }
    this.#judge(outcome)
    const { name } = this.#attack
    return { ...outcome, name, storage: this.#circumstances.storage.name, faults: this.#faults }
  }

  async end(): Promise<void> {
    await this.#server?.kill()
  }

  get #url(): string {
    return this.#server?.url ?? ''
  }

  async #start(): Promise<void> {
    const port = this.#server ? new URL(this.#server.url).port : '0'
    this.#server = await startServer({
      ...this.#circumstances.storage.environment(this.#dataDir),
      ...this.#attack.environment,
      PORT: port,
    })
  }

  #target(): Target {
    const { storage, isShort, say } = this.#circumstances
    const alive = () => this.#server?.isAlive() ?? false
    return {
      url: this.#url,
      dataDir: this.#dataDir,
      storage,
      isShort,
      say,
      newAttacker: (name) => this.#newAttacker(name),
      send: (request) => this.#send(request),
      watchMemory: () => new MemoryMeter(() => this.#server?.processId),
      isAlive: alive,
      kill: async () => this.#server?.kill(),
      restart: () => this.#start(),
      fail: (what) => this.#faults.push(what),
    }
  }

  async #newAttacker(name: string): Promise<Attacker> {
    // A database is attacked more than once: each attack brings people of its own.
    const email = `${name}-${this.#attack.name}@example.com`
    const { accessToken: token } = await this.#api().accounts.signUp({ email, password })
    const api = this.#api(token)
    const [space] = await api.spaces.listSpaces({})
    const spaceId = space?.id ?? ''
    const { id: baseId } = await api.bases.createBase({ spaceId, name: 'Base' })
    return { token, email, api, spaceId, baseId }
  }

  /** All operations over HTTP, their answers counted. */
  #api(token?: string): Api {
    const counted: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      const request = `${init?.method ?? 'GET'} ${new URL(String(input)).pathname}`
      this.#count(response.status, request)
      if (response.status === 503 && !response.headers.has('Retry-After')) {
        this.#faults.push(`${request} was answered 503 without Retry-After`)
      }
      return response
    }
    const baseUrl = `${this.#url}/api`
    return createClient({ baseUrl, fetch: counted, ...(token !== undefined && { token }) })
  }

  async #send(request: RawRequest): Promise<number> {
    const status = await sendRaw(this.#url, request)
    this.#count(status, `${request.method} ${request.path.slice(0, 100)}`)
    return status
  }

  #count(status: number, request: string): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1)
    const isRefusal = status === 503 || status === 507 || this.#attack.breaksData
    if (status >= 500 && !isRefusal) this.#faults.push(`${request} was answered ${status}`)
  }

  /** Whoever had nothing to do with it reads and writes as before. */
  async #lookAfterwards({ api }: Attacker, tableId: string): Promise<void> {
    if (!this.#server?.isAlive()) {
      this.#faults.push(`the server is gone: ${this.#server?.log().slice(-2_000)}`)
      return
    }
    try {
      await api.records.createRecords({ tableId, records: [{ fields: {} }] })
      await api.records.listRecords({ tableId })
    } catch (error) {
      this.#faults.push(`afterwards: ${String(error)}`)
    }
  }

  #judge({ watched, mostBytes }: Pick<Outcome, 'watched' | 'mostBytes'>): void {
    const megabytes = Math.round(mostBytes / 1024 ** 2)
    if (mostBytes > bounds.bytes) this.#faults.push(`it held ${megabytes} MiB`)
    const { interrupts } = this.#attack
    if (interrupts) return
    const { health, read } = watched
    if (health.failures + read.failures > 0) {
      this.#faults.push(`${health.failures + read.failures} answers to others failed`)
    }
    // A short run shares the machine with other tests: what it takes there says nothing.
    if (this.#circumstances.isShort) return
    const time = ({ p99, ownP99 }: Waits) => (this.#circumstances.isBusy ? ownP99 : p99)
    if (time(health) > bounds.healthP99Ms) this.#faults.push('/health took too long')
    if (time(read) > bounds.readP99Ms) this.#faults.push('others waited too long')
  }
}
