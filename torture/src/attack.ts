import type { Api } from '@gateleg/domain/api'
import type { TortureStorage } from './storages.ts'

/** Somebody with an account of their own and an empty base in it. */
export interface Attacker {
  readonly token: string
  readonly email: string
  readonly api: Api
  readonly spaceId: string
  readonly baseId: string
}

/** A request as it goes over the wire. */
export interface RawRequest {
  readonly method: string
  /** With the query; begins with `/`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** What an attack has to do with: a server in a process of its own, and what is to become of it. */
export interface Target {
  readonly url: string
  /** The directory of the data: of files alone, on PostgreSQL. */
  readonly dataDir: string
  readonly storage: TortureStorage
  /** A tenth, or so, of the whole attack: for the test command. */
  readonly isShort: boolean
  /** Signs somebody up. Every answer to them is counted. */
  newAttacker(name: string): Promise<Attacker>
  /** Sends a request and counts the answer; -1 stands for a connection that was closed. */
  send(request: RawRequest): Promise<number>
  /** Watches how much memory the process holds; `stop` answers the most bytes since then. */
  watchMemory(): { stop(): number }
  /** Whether the process is there. */
  isAlive(): boolean
  /** Ends the process at once, as a power cut does. */
  kill(): Promise<void>
  /** Starts it again on the same data. */
  restart(): Promise<void>
  /** Notes something that is not as it has to be. */
  fail(what: string): void
  say(text: string): void
}

/** One way to hurt a server. */
export interface Attack {
  readonly name: string
  /** What it tries, in a sentence. */
  readonly about: string
  /** Runs on these storages alone; on each when not given. */
  readonly storages?: readonly TortureStorage['name'][]
  /** Whether the server may be out of reach meanwhile: the attack takes its storage or its process away. */
  readonly interrupts?: boolean
  /** Whether the attack damages what is stored: then an answer of 500 is as it has to be. */
  readonly breaksData?: boolean
  /** Whether it says nothing when it is made short: then it is left out. */
  readonly isWholeOnly?: boolean
  /** Settings of the server beside the defaults. */
  readonly environment?: Readonly<Record<string, string>>
  run(target: Target): Promise<void>
}
