import { isDeepStrictEqual } from 'node:util'
import { parentPort, workerData } from 'node:worker_threads'
import {
  type RowBatch,
  type Run,
  rowSize,
  SqlFailure,
  valueSize,
} from '@gateleg/sql/core/connection'
import { openReader } from '../connection/open-reader.ts'
import { openWriter } from '../connection/open-writer.ts'
import type { SqliteConnection } from '../connection/sqlite-connection.ts'
import { WaitingRows } from '../connection/waiting-rows.ts'
import { findDamage } from '../file/find-damage.ts'
import { moveLog } from '../file/move-log.ts'
import { ReadsOutdated } from './reads-outdated.ts'
import { RunningStatement } from './running-statement.ts'
import {
  answerSize,
  type SessionKind,
  type ThreadAnswer,
  type ThreadRequest,
} from './thread-messages.ts'

/** What runs in a thread of its own: snapshots of a file, and writes to it, that take long. */

interface Session {
  readonly connection: SqliteConnection
  readonly isWriting: boolean
  /** What it has read before its transaction; undefined once that has begun. */
  readFirst: { readonly request: Statement; readonly batch: RowBatch }[] | undefined
  /** What was sent ahead. */
  readonly waiting: WaitingRows
  /** What has been read and not been sent yet. */
  batch: RowBatch | undefined
  /** How many of its rows have been sent, and how many values of the next one. */
  sent: number
  sentValues: number
}

type Statement = Extract<ThreadRequest, { kind: 'statement' }>

const { file, statements } = workerData as {
  readonly file: string
  readonly statements: SharedArrayBuffer
}
const running = new RunningStatement(statements)
const isStopped = () => running.isStopped
const sessions = new Map<number, Session>()
/** Connections of writes that have ended, for the next ones: they have their statements prepared. */
const idleWriters: SqliteConnection[] = []
/** One write goes on while the next one reads. */
const idleWritersMax = 2

parentPort?.on('message', async (request: ThreadRequest) => {
  await take(request)
  // Ends the thread alone.
  if (isStopped()) process.exit()
})

async function take(request: ThreadRequest): Promise<void> {
  if (request.kind === 'check') return send({ kind: 'findings', findings: check() })
  if (request.kind === 'moveLog') {
    return send({ kind: 'logMoved', isDone: moveLog(file, request.patienceMs) })
  }
  try {
    await answer(request)
  } catch (error) {
    const failure = kindOf(error)
    const message = error instanceof Error ? error.message : String(error)
    send({ kind: 'failure', session: request.session, failure, message })
  }
}

function kindOf(error: unknown) {
  if (error instanceof ReadsOutdated) return 'readsOutdated'
  return error instanceof SqlFailure ? error.kind : 'other'
}

function send(message: ThreadAnswer): void {
  parentPort?.postMessage(message)
}

async function answer(
  request: Exclude<ThreadRequest, { kind: 'check' | 'moveLog' }>,
): Promise<void> {
  const { session: id } = request
  const session = sessions.get(id)
  if (request.kind === 'end') return end(id, session)
  if (request.kind === 'commit') {
    session?.connection.control('COMMIT')
    return end(id, session)
  }
  if (request.kind === 'statement') {
    return runStatement(session ?? begin(id, request.of), request)
  }
  if (request.kind === 'sendAhead') {
    const { waiting } = session ?? begin(id, 'readingFirst')
    await waiting.put(request.run)
    return send({ kind: 'done', session: id, count: 0 })
  }
  if (request.kind === 'addInOrder') {
    const count = await addInOrder(session ?? begin(id, request.of), request.run)
    return send({ kind: 'done', session: id, count })
  }
  if (request.kind === 'hold') {
    await hold(session ?? begin(id, 'readingFirst'))
    return send({ kind: 'done', session: id, count: 0 })
  }
  if (session) sendNext(id, session)
}

function begin(id: number, of: SessionKind): Session {
  const isWriting = of !== 'snapshot'
  const readsFirst = of === 'readingFirst'
  const connection = isWriting ? takeWriter() : openReader(file, { isLong: true, isStopped })
  const session: Session = {
    connection,
    isWriting,
    readFirst: readsFirst ? [] : undefined,
    waiting: new WaitingRows(connection),
    batch: undefined,
    sent: 0,
    sentValues: 0,
  }
  sessions.set(id, session)
  if (!readsFirst) connection.control(isWriting ? 'BEGIN IMMEDIATE' : 'BEGIN')
  return session
}

/** Begins the transaction of a session that read first. Throws ReadsOutdated unless all that it read is the same there. */
async function hold(session: Session): Promise<void> {
  const { connection, readFirst = [] } = session
  session.readFirst = undefined
  connection.control('BEGIN IMMEDIATE')
  for (const { request, batch } of readFirst) {
    // Whether there is more counts as well: somebody may have gone by that.
    if (!isDeepStrictEqual(await read(connection, request), batch)) throw new ReadsOutdated()
  }
}

/** Returns the number of the last row. */
async function addInOrder(session: Session, run: Run | undefined): Promise<number> {
  if (session.readFirst) await hold(session)
  requireTransaction(session)
  const last = await session.waiting.add()
  return run ? session.connection.addInOrder([run]) : last
}

function takeWriter(): SqliteConnection {
  const writer = idleWriters.pop() ?? openWriter(file)
  // Whoever waits for a commit doesn't wait for what it wrote to be moved as well.
  writer.movesLog = false
  return writer
}

/** Undoes what was not committed. Tells, because others may not write before. */
async function end(id: number, session: Session | undefined): Promise<void> {
  sessions.delete(id)
  const isKept = session?.isWriting && idleWriters.length < idleWritersMax
  if (session && isKept && (await isSound(session))) idleWriters.push(session.connection)
  else session?.connection.close()
  send({ kind: 'done', session: id, count: 0 })
}

/** Whether the connection, its transaction undone and its rows forgotten that wait, can be used again. */
async function isSound({ connection, waiting }: Session): Promise<boolean> {
  if (connection.isBroken || connection.isSpent) return false
  try {
    if (connection.inTransaction) connection.control('ROLLBACK')
    await waiting.forget()
    return true
  } catch {
    // Who wrote on it is told what failed first; to close it undoes the rest.
    return false
  }
}

async function runStatement(session: Session, request: Statement): Promise<void> {
  const { session: id, method } = request
  const { connection } = session
  requireTransaction(session)
  if (method !== 'all' && method !== 'rows' && method !== 'rowsWithin') {
    return send({ kind: 'done', session: id, count: await write(connection, request) })
  }
  session.batch = await read(connection, request)
  session.readFirst?.push({ request, batch: session.batch })
  session.sent = 0
  session.sentValues = 0
  sendNext(id, session)
}

/** Out of space, SQLite gives a transaction up: what came after it would be committed by itself. */
function requireTransaction({ connection, readFirst }: Session): void {
  if (connection.inTransaction || readFirst) return
  throw new SqlFailure('unavailable', 'The transaction was given up', undefined)
}

async function write(
  connection: SqliteConnection,
  { method, sql, parameters }: Statement,
): Promise<number> {
  if (method === 'run') return connection.run(sql, parameters)
  await connection.define(sql)
  return 0
}

async function read(
  connection: SqliteConnection,
  { method, sql, parameters, size, most }: Statement,
): Promise<RowBatch> {
  if (method === 'rowsWithin') {
    return running.run(() => connection.rowsWithin(sql, parameters, size, most))
  }
  const rows = await running.run(() =>
    connection[method === 'all' ? 'all' : 'rows'](sql, parameters),
  )
  return { rows: rows as readonly (readonly unknown[])[], size: 0, isCut: false }
}

/** Sends what of the rows reaches a size: a row that is long goes out in several pieces. */
function sendNext(id: number, session: Session): void {
  const { batch } = session
  if (!batch) return
  const continuesRow = session.sentValues > 0
  const rows: unknown[] = []
  for (let room = answerSize; session.sent < batch.rows.length && room > 0; ) {
    const row = batch.rows[session.sent]
    const piece = Array.isArray(row) ? nextPiece(session, row, room) : row
    rows.push(piece)
    room -= rowSize(Array.isArray(piece) ? piece : Object.values(piece ?? {}))
    if (session.sentValues === 0) session.sent++
  }
  const isLast = session.sent === batch.rows.length
  if (isLast) session.batch = undefined
  const { size, isCut } = batch
  send({ kind: 'rows', session: id, rows, continuesRow, isLast, size, isCut })
}

/** The values of a row that come next and have room, one at least; notes how many of it are sent by then. */
function nextPiece(session: Session, row: readonly unknown[], room: number): readonly unknown[] {
  const start = session.sentValues
  let end = start
  for (let size = 0; end < row.length && size < room; end++) {
    const value = row[end]
    size += valueSize + (typeof value === 'string' ? value.length : 0)
  }
  session.sentValues = end < row.length ? end : 0
  return start === 0 && end === row.length ? row : row.slice(start, end)
}

/** What is wrong with the file, or that it can't be looked at. */
function check(): readonly string[] {
  try {
    return findDamage(file)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
