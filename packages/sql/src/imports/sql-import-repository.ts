import type { Import } from '@gateleg/domain/imports/import'
import type { ImportPiece, ImportRepository } from '@gateleg/domain/imports/import-repository'
import { prepared } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import { saveInto } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import {
  type ImportPieceRow,
  type ImportRow,
  importColumns,
  importPieceColumns,
} from '../metadata/tables/import-table.ts'

const findWith = (lock: 'none' | 'update') =>
  prepared<{ id: string }, ImportRow>((db, value, dialect) =>
    db
      .selectFrom('imports')
      .selectAll()
      .where('id', '=', value('id'))
      .modifyEnd(dialect.locks.clause(lock, 'imports')),
  )

const findBy = { none: findWith('none'), update: findWith('update') }

const countOpen = prepared<{ baseId: string; now: string }, { count: number | string }>(
  (db, value) =>
    db
      .selectFrom('imports')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('base_id', '=', value('baseId'))
      .where(({ and, eb, or }) =>
        or([
          eb('state', '=', 'running'),
          and([eb('state', '=', 'arriving'), eb('expires_time', '>', value('now'))]),
        ]),
      ),
)

const save = saveInto('imports', importColumns, 'id')

const savePiece = saveInto('import_pieces', importPieceColumns, 'import_id', 'number')

const nextPiece = prepared<{ importId: string }, ImportPieceRow>((db, value) =>
  db
    .selectFrom('import_pieces')
    .selectAll()
    .where('import_id', '=', value('importId'))
    .orderBy('number')
    .limit(1),
)

const removePiece = prepared<{ importId: string; number: number }, unknown>((db, value) =>
  db
    .deleteFrom('import_pieces')
    .where('import_id', '=', value('importId'))
    .where('number', '=', value('number')),
)

/** Held, as its file may go on coming meanwhile: it has time again then. */
const findExpired = prepared<{ before: string }, { id: string }>((db, value, dialect) =>
  db
    .selectFrom('imports')
    .select('id')
    .where('expires_time', '<', value('before'))
    .where('state', '!=', 'running')
    .orderBy('expires_time')
    .orderBy('id')
    .limit(1)
    .modifyEnd(dialect.locks.clause('update', 'imports')),
)

const removePieces = prepared<{ importId: string; most: number }, unknown>((db, value) =>
  db
    .deleteFrom('import_pieces')
    .where('import_id', '=', value('importId'))
    .where('number', 'in', (eb) =>
      eb
        .selectFrom('import_pieces')
        .select('number')
        .where('import_id', '=', value('importId'))
        .orderBy('number')
        .limit(value('most')),
    ),
)

const remove = deleteFrom('imports', 'id')

export class SqlImportRepository implements ImportRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(importId: string, lock: 'none' | 'update' = 'none'): Promise<Import | undefined> {
    const row = await this.#session.first(findBy[lock], { id: importId })
    return row && importColumns.toEntity(row)
  }

  async countOpen(baseId: string, now: string): Promise<number> {
    return Number((await this.#session.one(countOpen, { baseId, now })).count)
  }

  async countOpenHeld(baseId: string, now: string): Promise<number> {
    const { connection, dialect } = this.#session
    await dialect.locks.claim(connection, `imports ${baseId}`)
    return this.countOpen(baseId, now)
  }

  async save(one: Import): Promise<void> {
    await this.#session.run(save, importColumns.toRow(one))
  }

  async savePiece(piece: ImportPiece): Promise<void> {
    await this.#session.run(savePiece, importPieceColumns.toRow(piece))
  }

  async nextPiece(importId: string): Promise<ImportPiece | undefined> {
    const row = await this.#session.first(nextPiece, { importId })
    return row && importPieceColumns.toEntity(row)
  }

  async removePiece(importId: string, number: number): Promise<void> {
    await this.#session.run(removePiece, { importId, number })
  }

  async deleteExpired(before: string, most: number): Promise<boolean> {
    const expired = await this.#session.first(findExpired, { before })
    if (!expired) return false
    const importId = expired.id
    if ((await this.#session.run(removePieces, { importId, most })) < most) {
      await this.#session.run(remove, { id: importId })
    }
    return true
  }
}
