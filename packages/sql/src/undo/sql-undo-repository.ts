import type {
  UndoCommand,
  UndoCommandKey,
  UndoRepository,
  UndoRoom,
  UndoWindow,
} from '@gateleg/domain/undo/undo-repository'
import type { UndoStep } from '@gateleg/domain/undo/undo-step'
import type { ExpressionBuilder } from 'kysely'
import { prepared, type QueryBuilder } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import { insertInto } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import type { Database } from '../metadata/database-schema.ts'
import { type UndoCommandRow, undoCommandColumns } from '../metadata/tables/undo-command-table.ts'

const lastNumber = prepared<{ userId: string }, { number: number | null }>((db, value) =>
  db
    .selectFrom('undo_commands')
    .select(({ fn }) => fn.max<number | null>('number').as('number'))
    .where('user_id', '=', value('userId')),
)

const insert = insertInto('undo_commands', undoCommandColumns)

const removeUndone = prepared<UndoWindow & { isUndone: boolean }, unknown>((db, value) =>
  db
    .deleteFrom('undo_commands')
    .where('user_id', '=', value('userId'))
    .where('table_id', '=', value('tableId'))
    .where('window_id', '=', value('windowId'))
    .where('is_undone', '=', value('isUndone')),
)

/** Neither engine reads the text for this. */
function bytesOfSteps({ fn }: ExpressionBuilder<Database, 'undo_commands'>) {
  return fn<number>('octet_length', ['steps'])
}

const removeOldest = prepared<{ userId: string; most: number; bytes: number }, unknown>(
  (db, value) =>
    db
      .deleteFrom('undo_commands')
      .where('user_id', '=', value('userId'))
      .where(({ eb, or, selectFrom }) => {
        const added = selectFrom('undo_commands')
          .select((each) => [
            'number',
            each.fn
              .sum<number>(bytesOfSteps(each))
              .over((over) => over.orderBy('number', 'desc'))
              .as('bytes_since'),
          ])
          .where('user_id', '=', value('userId'))
        const lastWithoutRoom = selectFrom(added.as('added'))
          .select(({ fn }) => fn.max<number>('number').as('number'))
          .where('bytes_since', '>', value('bytes'))
        return or([eb('number', '<=', value('most')), eb('number', '<=', lastWithoutRoom)])
      }),
)

type Asked = UndoWindow & { isUndone: boolean; now: string }

function ofWindow(
  db: QueryBuilder,
  value: <Name extends keyof Asked>(name: Name) => Asked[Name],
  direction: 'asc' | 'desc',
) {
  return db
    .selectFrom('undo_commands')
    .selectAll()
    .where('user_id', '=', value('userId'))
    .where('table_id', '=', value('tableId'))
    .where('window_id', '=', value('windowId'))
    .where('is_undone', '=', value('isUndone'))
    .where('expires_time', '>', value('now'))
    .orderBy('number', direction)
    .limit(1)
}

const newest = prepared<Asked, UndoCommandRow>((db, value) => ofWindow(db, value, 'desc'))
const oldest = prepared<Asked, UndoCommandRow>((db, value) => ofWindow(db, value, 'asc'))

const update = prepared<
  { userId: string; number: number; isUndone: boolean; steps: string },
  unknown
>((db, value) =>
  db
    .updateTable('undo_commands')
    .set({ is_undone: value('isUndone'), steps: value('steps') })
    .where('user_id', '=', value('userId'))
    .where('number', '=', value('number')),
)

const remove = prepared<{ userId: string; number: number }, unknown>((db, value) =>
  db
    .deleteFrom('undo_commands')
    .where('user_id', '=', value('userId'))
    .where('number', '=', value('number')),
)

const removeOfUser = deleteFrom('undo_commands', 'user_id')

type Listed = { tableId: string; userId: string; number: number; most: number; bytes: number }

const listOf = prepared<Listed, UndoCommandRow>((db, value) => {
  const next = db
    .selectFrom('undo_commands')
    .select((each) => ['user_id', 'number', bytesOfSteps(each).as('bytes')])
    .where('table_id', '=', value('tableId'))
    .where(({ eb, or, and }) =>
      or([
        eb('user_id', '>', value('userId')),
        and([eb('user_id', '=', value('userId')), eb('number', '>', value('number'))]),
      ]),
    )
    .orderBy('user_id')
    .orderBy('number')
    .limit(value('most'))
  const added = db.selectFrom(next.as('next')).select(({ eb, fn }) => {
    const until = fn.sum<number>('bytes').over((over) => over.orderBy('user_id').orderBy('number'))
    return ['user_id', 'number', eb(until, '-', eb.ref('bytes')).as('bytes_before')]
  })
  return db
    .selectFrom('undo_commands')
    .innerJoin(added.as('added'), (join) =>
      join
        .onRef('added.user_id', '=', 'undo_commands.user_id')
        .onRef('added.number', '=', 'undo_commands.number'),
    )
    .selectAll('undo_commands')
    .where('bytes_before', '<', value('bytes'))
    .orderBy('undo_commands.user_id')
    .orderBy('undo_commands.number')
})

const replaceSteps = prepared<
  { userId: string; numbers: readonly number[]; steps: string },
  unknown
>((db, value, dialect) =>
  db
    .updateTable('undo_commands')
    .set({ steps: value('steps') })
    .where('user_id', '=', value('userId'))
    .where(dialect.lists.isIn('number', value('numbers'))),
)

const expired = prepared<{ before: string; most: number }, { user_id: string; number: number }>(
  (db, value) =>
    db
      .selectFrom('undo_commands')
      .select(['user_id', 'number'])
      .where('expires_time', '<', value('before'))
      .orderBy('expires_time')
      .orderBy('user_id')
      .orderBy('number')
      .limit(value('most')),
)

export class SqlUndoRepository implements UndoRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async add(command: Omit<UndoCommand, 'number' | 'isUndone'>, room: UndoRoom): Promise<void> {
    const { userId, tableId, windowId } = command
    await this.#hold(userId)
    await this.#session.run(removeUndone, { userId, tableId, windowId, isUndone: true })
    const number = Number((await this.#session.one(lastNumber, { userId })).number ?? 0) + 1
    const row = undoCommandColumns.toRow({ ...command, number, isUndone: false })
    await this.#session.run(insert, row)
    // Numbers have gaps: of the last ones at most so many are there.
    const most = number - room.commands
    await this.#session.run(removeOldest, { userId, most, bytes: room.bytes })
  }

  async lastDone(window: UndoWindow, now: string): Promise<UndoCommand | undefined> {
    await this.#hold(window.userId)
    const row = await this.#session.first(newest, { ...window, now, isUndone: false })
    return row && toCommand(row)
  }

  async lastUndone(window: UndoWindow, now: string): Promise<UndoCommand | undefined> {
    await this.#hold(window.userId)
    const row = await this.#session.first(oldest, { ...window, now, isUndone: true })
    return row && toCommand(row)
  }

  async save({ userId, number, isUndone, steps }: UndoCommand): Promise<void> {
    await this.#session.run(update, { userId, number, isUndone, steps: JSON.stringify(steps) })
  }

  async remove({ userId, number }: UndoCommandKey): Promise<void> {
    await this.#session.run(remove, { userId, number })
  }

  async deleteOfUser(userId: string): Promise<void> {
    await this.#hold(userId)
    await this.#session.run(removeOfUser, { id: userId })
  }

  async listOf(
    tableId: string,
    { userId, number }: UndoCommandKey = { userId: '', number: 0 },
    { commands: most, bytes }: UndoRoom,
  ): Promise<readonly UndoCommand[]> {
    const listed = { tableId, userId, number, most, bytes }
    return (await this.#session.all(listOf, listed)).map(toCommand)
  }

  async replaceSteps(
    commands: readonly UndoCommandKey[],
    steps: readonly UndoStep[],
  ): Promise<void> {
    for (const [userId, ofUser] of Map.groupBy(commands, (one) => one.userId)) {
      const numbers = ofUser.map(({ number }) => number)
      await this.#session.run(replaceSteps, { userId, numbers, steps: JSON.stringify(steps) })
    }
  }

  async deleteExpired(before: string, most: number): Promise<number> {
    const rows = await this.#session.all(expired, { before, most })
    for (const { user_id: userId, number } of rows) {
      await this.#session.run(remove, { userId, number: Number(number) })
    }
    return rows.length
  }

  /** Commands of one user are numbered one after another. */
  #hold(userId: string): Promise<void> {
    const { connection, dialect } = this.#session
    return dialect.locks.claim(connection, `undo ${userId}`)
  }
}

function toCommand(row: UndoCommandRow): UndoCommand {
  return { ...undoCommandColumns.toEntity(row), number: Number(row.number) }
}
