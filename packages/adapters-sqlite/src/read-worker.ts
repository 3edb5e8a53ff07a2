import { parentPort, workerData } from 'node:worker_threads'
import { type RowBatch, rowSize, SqlFailure } from '@gateleg/sql/core/connection'
import { findDamage } from './find-damage.ts'
import { openReader } from './open-reader.ts'
import { answerSize, type ReadAnswer, type ReadRequest } from './read-messages.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/** What runs in a thread of its own: snapshots of a file, for reads that take long. */

interface Session {
  readonly connection: SqliteConnection
  /** What has been read and not been sent yet. */
  batch: RowBatch | undefined
  sent: number
}

type Read = Extract<ReadRequest, { kind: 'read' }>

const { file } = workerData as { readonly file: string }
const sessions = new Map<number, Session>()

parentPort?.on('message', async (request: ReadRequest) => {
  if (request.kind === 'check') return send({ kind: 'findings', findings: check() })
  try {
    await answer(request)
  } catch (error) {
    const failure = error instanceof SqlFailure ? error.kind : 'other'
    const message = error instanceof Error ? error.message : String(error)
    send({ kind: 'failure', session: request.session, failure, message })
  }
})

function send(message: ReadAnswer): void {
  parentPort?.postMessage(message)
}

async function answer(request: Exclude<ReadRequest, { kind: 'check' }>): Promise<void> {
  const { session: id } = request
  if (request.kind === 'end') {
    sessions.get(id)?.connection.close()
    sessions.delete(id)
    return
  }
  const session = sessions.get(id) ?? begin(id)
  if (request.kind === 'read') {
    session.batch = await read(session.connection, request)
    session.sent = 0
  }
  sendNext(id, session)
}

function begin(id: number): Session {
  const session = { connection: openReader(file), batch: undefined, sent: 0 }
  sessions.set(id, session)
  session.connection.control('BEGIN')
  return session
}

async function read(connection: SqliteConnection, request: Read): Promise<RowBatch> {
  const { method, sql, parameters, size } = request
  if (method === 'rowsWithin') return connection.rowsWithin(sql, parameters, size)
  const rows = await connection[method](sql, parameters)
  return { rows: rows as readonly (readonly unknown[])[], size: 0, isCut: false }
}

/** Sends rows until they have reached a size; at least one, if there are any left. */
function sendNext(id: number, session: Session): void {
  const { batch, sent } = session
  if (!batch) return
  let end = sent
  for (let size = 0; end < batch.rows.length && size < answerSize; end++) {
    size += rowSize(Object.values(batch.rows[end] ?? []))
  }
  const rows = batch.rows.slice(sent, end)
  session.sent = end
  const isLast = end === batch.rows.length
  if (isLast) session.batch = undefined
  send({ kind: 'rows', session: id, rows, isLast, size: batch.size, isCut: batch.isCut })
}

/** What is wrong with the file, or that it can't be looked at. */
function check(): readonly string[] {
  try {
    return findDamage(file)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
