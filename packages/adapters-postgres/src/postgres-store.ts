import type { DomainEvent } from '@gateleg/domain/events/event'
import type { ReadOptions, WriteOptions } from '@gateleg/domain/store'
import { ownCaller } from '@gateleg/domain/structures/fair-queue'
import { NeedsTurn, type SqlConnection, SqlFailure, WorkIsLong } from '@gateleg/sql/core/connection'
import type { NameLocks } from '@gateleg/sql/core/dialect/lock-dialect'
import { RefusedWrite } from '@gateleg/sql/core/refuse-as-invalid'
import { SqlStore, type SqlTransactions } from '@gateleg/sql/sql-store'
import type { PostgresConnection } from './connection/postgres-connection.ts'
import { postgresOwnTables } from './own-tables.ts'
import type { ConnectionPool } from './pool/connection-pool.ts'
import { threadTurns } from './thread-turns.ts'
import { AnswerIsLarge, LargeAnswerTurn } from './turns/large-answers.ts'
import { anyBase, Collisions } from './writing/collisions.ts'
import { nameLocks } from './writing/name-locks.ts'
import { retrying } from './writing/retrying.ts'

type Work<T> = (connection: SqlConnection) => Promise<T>

interface PostgresStoreParts {
  readonly pool: ConnectionPool
  readonly metadataSchema: string
  readonly onCommit: (events: readonly DomainEvent[]) => void
}

/** A Store on a PostgreSQL database, which other processes may use at the same time. */
export class PostgresStore extends SqlStore {
  constructor({ pool, metadataSchema, onCommit }: PostgresStoreParts) {
    super({
      transactions: new PostgresTransactions(pool, nameLocks(metadataSchema)),
      ownTables: postgresOwnTables(metadataSchema),
      loadDialect: async () => (await import('./dialect.ts')).postgresDialect(metadataSchema),
      turns: threadTurns,
      onCommit,
      isShared: true,
    })
  }
}

/**
 * Runs transactions on connections of a pool, again where others are in their way. Writes that collided are run again
 * one after another, callers in turn, across all processes: many that want the same records in different orders would
 * only collide again. Until a while after that, whoever writes to that base takes turns at once.
 */
export class PostgresTransactions implements SqlTransactions {
  readonly #pool: ConnectionPool
  readonly #locks: NameLocks
  readonly #collisions = new Collisions()

  constructor(pool: ConnectionPool, locks: NameLocks) {
    this.#pool = pool
    this.#locks = locks
  }

  read<T>(work: Work<T>, options: ReadOptions = {}): Promise<T> {
    return this.#retrying(() => this.#readOnce(work, options))
  }

  async write<T>(work: Work<T>, { caller, isStepwise = false }: WriteOptions = {}): Promise<T> {
    if (isStepwise) return this.#retrying(() => this.#pool.apart(work))
    try {
      return await this.#write(work, caller)
    } catch (error) {
      if (!(error instanceof RefusedWrite) || error.reason !== 'unique') throw error
      // Somebody wrote the value after it had been looked for: now it is found, and the error says where it stands.
      return this.#write(work, caller)
    }
  }

  #write<T>(work: Work<T>, caller: string | undefined): Promise<T> {
    let baseId = anyBase
    const isFree = (id: string) => {
      baseId = id
      if (this.#collisions.areIn(id)) throw new NeedsTurn()
    }
    return this.#retrying(async (before) => {
      if (before?.kind === 'contended') this.#collisions.note(baseId)
      else {
        try {
          return await this.#writeOnce(work, caller, { willHold: isFree })
        } catch (error) {
          if (!(error instanceof NeedsTurn)) throw error
        }
      }
      return this.#inTurn(baseId, work, caller)
    })
  }

  /** One after another with all others who take turns in the base. */
  #inTurn<T>(baseId: string, work: Work<T>, caller: string | undefined): Promise<T> {
    const taken = async (connection: SqlConnection) => {
      await this.#locks.claim(connection, `turns ${baseId}`)
      return work(connection)
    }
    const isAwaited = () => this.#collisions.isWaitedFor(baseId)
    const writeOnce = () => this.#writeOnce(taken, caller, { isAwaited })
    return this.#collisions.inTurn(baseId, writeOnce, caller)
  }

  interrupt(): Promise<void> {
    return this.#pool.interrupt()
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  #retrying<T>(run: (before: SqlFailure | undefined) => Promise<T>): Promise<T> {
    return retrying(run, ({ kind }) => {
      if (kind !== 'outdated') return
      this.#pool.names.forget()
      this.#pool.expected.forgetAll()
    })
  }

  async #readOnce<T>(work: Work<T>, given: ReadOptions): Promise<T> {
    let options = given
    let turn: LargeAnswerTurn | 'first' | 'any' = 'first'
    try {
      for (;;) {
        try {
          return await this.#readOn(work, options, turn)
        } catch (error) {
          if (error instanceof WorkIsLong) options = { ...options, isLong: true }
          else if (error instanceof AnswerIsLarge) {
            turn = (await this.#pool.largeAnswers.enter(options.caller ?? ownCaller)) ?? 'any'
          } else throw error
        }
      }
    } finally {
      if (turn instanceof LargeAnswerTurn) turn.end()
    }
  }

  /** Reads for the first time, or in a turn for a large answer, or asks for any. */
  async #readOn<T>(
    work: Work<T>,
    { caller = ownCaller, isLong = false, needsNoSnapshot = false }: ReadOptions,
    turn: LargeAnswerTurn | 'first' | 'any',
  ): Promise<T> {
    const largeAnswers = turn === 'first' ? { caller } : turn
    if (needsNoSnapshot && !isLong && turn === 'first') {
      const { connection, giveBack } = await this.#pool.lendForShort(caller)
      if (connection.isShared) return work(connection).finally(giveBack)
      connection.largeAnswers = largeAnswers
      return work(connection).finally(() => {
        connection.largeAnswers = 'any'
        giveBack()
      })
    }
    const lending = isLong ? this.#pool.lendForLong(caller) : this.#pool.lend(caller)
    const { connection, giveBack, tryBecomeLong } = await lending
    const beginning = begin(connection, 'repeatable read read only')
    const becomeLong = () => {
      if (!tryBecomeLong()) throw new WorkIsLong()
      connection.becomeLong = undefined
    }
    connection.becomeLong = isLong ? undefined : becomeLong
    connection.largeAnswers = largeAnswers
    try {
      const value = await work(connection)
      await beginning
      // Nobody waits for the end of a snapshot: what comes next is sent behind it.
      connection.rollback().catch(() => {})
      connection.becomeLong = undefined
      connection.largeAnswers = 'any'
      giveBack()
      return value
    } catch (error) {
      connection.becomeLong = undefined
      connection.largeAnswers = 'any'
      connection.rollback().then(giveBack, giveBack)
      throw error
    }
  }

  /**
   * Goes on with what is known of the caller while PostgreSQL compares it, which saves a wait; where that has changed, all comes
   * to nothing, and is done again without. A commit that gets no answer may have happened: the failure says `unavailable`,
   * after which work is not run again.
   */
  async #writeOnce<T>(
    work: Work<T>,
    caller: string | undefined,
    turns: WriteTurns = {},
  ): Promise<T> {
    try {
      return await this.#attempt(work, caller, { ...turns, mayExpect: true })
    } catch (error) {
      if (!(error instanceof FoundAnother)) throw error
      return this.#attempt(work, caller, { ...turns, mayExpect: false })
    }
  }

  async #attempt<T>(
    work: Work<T>,
    caller: string | undefined,
    { willHold, isAwaited, mayExpect }: WriteTurns & { readonly mayExpect: boolean },
  ): Promise<T> {
    const { connection, giveBack } = await this.#pool.lend(caller)
    const beginning = begin(connection, 'read committed read write')
    connection.willHold = willHold
    connection.isAwaited = isAwaited
    connection.mayExpect = mayExpect
    try {
      const value = await work(connection)
      await beginning
      await connection.commit()
      giveBack()
      return value
    } catch (error) {
      const reason = error instanceof NeedsTurn ? error : await reasonOf(error, connection)
      connection.rollback().then(giveBack, giveBack)
      throw reason
    }
  }
}

/**
 * Why a transaction came to nothing whose work ended with the error. What work made of other rows than there are says nothing,
 * its refusals included; nor does what it made of rows that nobody could compare, as after a wait that was too long: work that
 * asked for nothing more hasn't heard of that.
 */
async function reasonOf(error: unknown, connection: PostgresConnection): Promise<unknown> {
  const { areSame, failure } = await connection.compared()
  if (!areSame) return new FoundAnother(error)
  const isOfStorage = error instanceof SqlFailure || error instanceof RefusedWrite
  return isOfStorage ? error : (failure ?? error)
}

/** What a write is told, and asked, of turns. */
type WriteTurns = Partial<Pick<PostgresConnection, 'willHold' | 'isAwaited'>>

/** Ends work that went on with a row which is another one by now. No caller sees this error. */
class FoundAnother extends Error {
  constructor(cause: unknown) {
    super('A row is another one than before', { cause })
  }
}

/** Begins without waiting: the first statement follows at once. Its failure is met where it is awaited. */
function begin(connection: PostgresConnection, mode: string): Promise<void> {
  const beginning = connection.begin(mode)
  beginning.catch(() => {})
  return beginning
}
