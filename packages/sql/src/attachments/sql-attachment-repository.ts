import type {
  AttachmentRepository,
  StoredBlob,
  StoredFile,
  UploadSlot,
} from '@gateleg/domain/attachments/attachment-repository'
import { toTimestamp } from '@gateleg/domain/clock'
import { prepared } from '../core/database.ts'
import { deleteExpiredFrom, deleteFrom } from '../core/own-tables/delete-rows.ts'
import { insertInto } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { foundBefore } from '../core/statements/found-before.ts'
import {
  type AttachmentRow,
  attachmentColumns,
  type BlobRow,
  blobColumns,
  type UploadSlotRow,
  uploadSlotColumns,
} from '../metadata/tables/attachment-table.ts'

const findAll = prepared<{ spaceId: string; tokens: readonly string[] }, AttachmentRow>(
  (db, value, dialect) =>
    db
      .selectFrom('attachments')
      .selectAll()
      .where(foundBefore('space_id'), '=', value('spaceId'))
      .where(dialect.lists.isIn('token', value('tokens'))),
)

const find = prepared<{ token: string }, AttachmentRow>((db, value) =>
  db.selectFrom('attachments').selectAll().where('token', '=', value('token')),
)

const findSlot = prepared<{ token: string }, UploadSlotRow>((db, value) =>
  db.selectFrom('upload_slots').selectAll().where('token', '=', value('token')),
)

const insert = insertInto('attachments', attachmentColumns)

/** The path is asked for, so that both statements can be sent at once. */
const insertBrought = prepared<AttachmentRow & { digest: string }, unknown>((db, value) => {
  const names = attachmentColumns.names.filter((name) => name !== 'path')
  return db
    .insertInto('attachments')
    .columns(['path', ...names])
    .expression((eb) =>
      eb
        .selectFrom('blobs')
        .select(['path', ...names.map((name) => eb.val(value(name)).as(name))])
        .where('digest', '=', value('digest')),
    )
    .returning('token')
})

const insertSlot = insertInto('upload_slots', uploadSlotColumns)

type Attaching = {
  spaceId: string
  tokens: readonly string[]
  userId: string
  time: string
  noted: string
}

/** Milliseconds within which it is noted once that cells got a file. */
const notedWithinMs = 3_600_000

const attach = prepared<Attaching, unknown>((db, value, dialect) =>
  db
    .updateTable('attachments')
    .set({ attached_time: value('time') })
    .where(foundBefore('space_id'), '=', value('spaceId'))
    .where(dialect.lists.isIn('token', value('tokens')))
    .where(({ or, and, eb }) =>
      or([
        eb('attached_time', '<', value('noted')),
        and([eb('attached_time', 'is', null), eb('created_by', '=', value('userId'))]),
      ]),
    ),
)

const moveTo = prepared<{ spaceId: string; tokens: readonly string[] }, unknown>(
  (db, value, dialect) =>
    db
      .updateTable('attachments')
      .set({ space_id: value('spaceId') })
      .where(dialect.lists.isIn('token', value('tokens'))),
)

/** The row is written in any case, so that it is held: who would remove it sees when its bytes were brought last. */
const keepBlob = prepared<BlobRow, { path: string }>((db, value) =>
  db
    .insertInto('blobs')
    .values({
      digest: value('digest'),
      path: value('path'),
      brought_time: value('brought_time'),
    })
    .onConflict((conflict) =>
      conflict
        .column('digest')
        .doUpdateSet((eb) => ({ brought_time: eb.ref('excluded.brought_time') })),
    )
    .returning('path'),
)

const knownPaths = prepared<{ paths: readonly string[] }, { path: string }>((db, value, dialect) =>
  db
    .selectFrom('blobs')
    .select('path')
    .where(dialect.lists.isIn('path', value('paths'))),
)

type Removal = { before: string; most: number }

const removeUnattached = prepared<Removal, unknown>((db, value) =>
  db
    .deleteFrom('attachments')
    .where('attached_time', 'is', null)
    .where('token', 'in', (eb) =>
      eb
        .selectFrom('attachments')
        .select('token')
        .where('attached_time', 'is', null)
        .where('created_time', '<', value('before'))
        .orderBy('created_time')
        .limit(value('most')),
    ),
)

const removeUnused = prepared<Removal & { again: string }, { path: string }>((db, value) =>
  db
    .deleteFrom('blobs')
    .where('brought_time', '<', value('again'))
    .where('digest', 'in', (eb) =>
      eb
        .selectFrom('blobs')
        .select('digest')
        .where('brought_time', '<', value('before'))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('attachments')
                .select('attachments.token')
                .whereRef('attachments.path', '=', 'blobs.path'),
            ),
          ),
        )
        .limit(value('most')),
    )
    .returning('path'),
)

const takeSlot = deleteFrom('upload_slots', 'token')

const deleteExpiredSlots = deleteExpiredFrom('upload_slots')

export class SqlAttachmentRepository implements AttachmentRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async findAll(spaceId: string, tokens: readonly string[]): Promise<readonly StoredFile[]> {
    if (tokens.length === 0) return []
    return (await this.#session.all(findAll, { spaceId, tokens })).map((row) =>
      attachmentColumns.toEntity(row),
    )
  }

  async find(token: string): Promise<StoredFile | undefined> {
    const row = await this.#session.first(find, { token })
    return row && attachmentColumns.toEntity(row)
  }

  async findSlot(token: string): Promise<UploadSlot | undefined> {
    const row = await this.#session.first(findSlot, { token })
    return row && uploadSlotColumns.toEntity(row)
  }

  async insert(file: StoredFile): Promise<void> {
    await this.#session.run(insert, attachmentColumns.toRow(file))
  }

  async insertBrought(file: Omit<StoredFile, 'path'>, blob: StoredBlob): Promise<string> {
    const { digest, path } = blob
    // One after the other on the same connection: the second sees what the first has kept.
    const [kept] = await Promise.all([
      this.keepBlob(blob),
      this.#session.one(insertBrought, { ...attachmentColumns.toRow({ ...file, path }), digest }),
    ])
    return kept
  }

  async attach(terms: Parameters<AttachmentRepository['attach']>[0]): Promise<void> {
    if (terms.tokens.length === 0) return
    const noted = toTimestamp(Date.parse(terms.time) - notedWithinMs)
    await this.#session.run(attach, { ...terms, noted })
  }

  async moveTo(spaceId: string, tokens: readonly string[]): Promise<void> {
    if (tokens.length > 0) await this.#session.run(moveTo, { spaceId, tokens })
  }

  async keepBlob(blob: StoredBlob): Promise<string> {
    return (await this.#session.one(keepBlob, blobColumns.toRow(blob))).path
  }

  async knownPaths(paths: readonly string[]): Promise<readonly string[]> {
    if (paths.length === 0) return []
    return (await this.#session.all(knownPaths, { paths })).map(({ path }) => path)
  }

  async removeUnattached(before: string, most: number): Promise<number> {
    return this.#session.run(removeUnattached, { before, most })
  }

  async removeUnused(before: string, most: number): Promise<readonly string[]> {
    const rows = await this.#session.all(removeUnused, { before, again: before, most })
    return rows.map(({ path }) => path)
  }

  async insertSlot(slot: UploadSlot): Promise<void> {
    await this.#session.run(insertSlot, uploadSlotColumns.toRow(slot))
  }

  async takeSlot(token: string): Promise<boolean> {
    return (await this.#session.run(takeSlot, { id: token })) > 0
  }

  async deleteExpiredSlots(before: string, most: number): Promise<number> {
    return this.#session.run(deleteExpiredSlots, { before, most })
  }
}
