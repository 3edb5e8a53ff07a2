import type {
  AttachmentRepository,
  StoredFile,
} from '@gateleg/domain/attachments/attachment-repository'
import { prepared } from '../core/database.ts'
import { insertInto } from '../core/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { type AttachmentRow, attachmentColumns } from './attachment-table.ts'

const findAll = prepared<{ spaceId: string; tokens: readonly string[] }, AttachmentRow>(
  (db, value, dialect) =>
    db
      .selectFrom('attachments')
      .selectAll()
      .where('space_id', '=', value('spaceId'))
      .where(dialect.lists.isIn('token', value('tokens'))),
)

const insert = insertInto('attachments', attachmentColumns)

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

  async insert(file: StoredFile): Promise<void> {
    await this.#session.run(insert, attachmentColumns.toRow(file))
  }
}
