import {
  type RowBatch,
  type Run,
  type Runs,
  type SqlConnection,
  SqlFailure,
} from '@gateleg/sql/core/connection'
import type { SessionKind, ThreadMethod, ThreadRequest } from './thread-messages.ts'

/** What a statement answered: rows, or how many it changed, or the number of the row that was added last. */
export type Answer = RowBatch & { readonly count: number }

/** What a session asks its thread for, but for the name of the session. */
export type SessionRequest = WithoutSession<
  Exclude<ThreadRequest, { kind: 'more' | 'check' | 'moveLog' | 'commit' | 'end' }>
>
type WithoutSession<Request> = Request extends unknown ? Omit<Request, 'session'> : never

/** A snapshot or a transaction on a thread. */
export interface Session {
  ask(request: SessionRequest): Promise<Answer>
  /** Commits, and ends it unless that fails. Resolves when all is on disk. */
  commit(): Promise<void>
  /** No more may be asked. Resolves when its connection is closed, which undoes what was not committed; at once where it has ended. */
  end(): Promise<void>
}

/** How a session of the kind runs statements. */
export function statementsOf(session: Session, of: SessionKind) {
  const read = async (
    method: ThreadMethod,
    sql: string,
    parameters: readonly unknown[],
    size = 0,
    most?: number,
  ): Promise<RowBatch> => {
    const request = { kind: 'statement', of, method, sql, parameters, size, most } as const
    const { count: _, ...batch } = await session.ask(request)
    return batch
  }
  const write = async (method: ThreadMethod, sql: string, parameters: readonly unknown[]) => {
    const request = { kind: 'statement', of, method, sql, parameters, size: 0 } as const
    return (await session.ask(request)).count
  }
  return { read, write }
}

type Read = ReturnType<typeof statementsOf>['read']

function readsBy(read: Read): Pick<SqlConnection, 'all' | 'rows' | 'rowsWithin'> {
  return {
    all: async (sql, parameters) => (await read('all', sql, parameters)).rows as never,
    rows: async (sql, parameters) => (await read('rows', sql, parameters)).rows,
    rowsWithin: (sql, parameters, size, most) => read('rowsWithin', sql, parameters, size, most),
  }
}

/** The connection of a snapshot. */
export function readerOn(session: Session): SqlConnection {
  const { read } = statementsOf(session, 'snapshot')
  const refuse = async () => {
    throw new SqlFailure('other', 'A snapshot is only read', undefined)
  }
  return {
    ...readsBy(read),
    run: refuse,
    addInOrder: refuse,
    define: refuse,
  }
}

/** The connection of a transaction that writes. */
export function writerOn(session: Session): SqlConnection {
  const { read, write } = statementsOf(session, 'writing')
  return {
    ...readsBy(read),
    run: (sql, parameters) => write('run', sql, parameters),
    addInOrder: async (runs) => {
      let number = 0
      await eachInStep(runs, async (run) => {
        number = (await session.ask({ kind: 'addInOrder', of: 'writing', run })).count
      })
      return number
    },
    define: async (sql) => void (await write('define', sql, [])),
  }
}

/** Hands each run on once the one before has been dealt with; the next one is made meanwhile. */
export async function eachInStep(
  runs: Runs,
  handOn: (run: Run) => Promise<unknown>,
): Promise<void> {
  let before: Promise<unknown> = Promise.resolve()
  for await (const run of runs) {
    await before
    before = handOn(run)
    // It is waited for, if not before others have failed.
    before.catch(() => undefined)
  }
  await before
}
