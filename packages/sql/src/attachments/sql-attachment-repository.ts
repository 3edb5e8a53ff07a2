import type {
  AttachmentRepository,
  StoredFile,
} from '@gateleg/domain/attachments/attachment-repository'
import { prepared } from '../core/database.ts'
import type { AttachmentRow } from '../core/schema.ts'
import type { SqlSession } from '../core/session.ts'

const findAll = prepared<{ spaceId: string; tokens: readonly string[] }, AttachmentRow>(
  (db, value, dialect) =>
    db
      .selectFrom('attachments')
      .selectAll()
      .where('space_id', '=', value('spaceId'))
      .where(dialect.lists.isIn('token', value('tokens'))),
)

const insert = prepared<AttachmentRow, unknown>((db, value) =>
  db.insertInto('attachments').values({
    token: value('token'),
    space_id: value('space_id'),
    path: value('path'),
    size: value('size'),
    mimetype: value('mimetype'),
    width: value('width'),
    height: value('height'),
    created_by: value('created_by'),
    created_time: value('created_time'),
  }),
)

export class SqlAttachmentRepository implements AttachmentRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async findAll(spaceId: string, tokens: readonly string[]): Promise<readonly StoredFile[]> {
    if (tokens.length === 0) return []
    return (await this.#session.all(findAll, { spaceId, tokens })).map(toStoredFile)
  }

  async insert({ spaceId, createdBy, createdTime, ...file }: StoredFile): Promise<void> {
    await this.#session.run(insert, {
      ...file,
      space_id: spaceId,
      created_by: createdBy,
      created_time: createdTime,
    })
  }
}

function toStoredFile(row: AttachmentRow): StoredFile {
  return {
    token: row.token,
    spaceId: row.space_id,
    path: row.path,
    size: row.size,
    mimetype: row.mimetype,
    width: row.width,
    height: row.height,
    createdBy: row.created_by,
    createdTime: row.created_time,
  }
}
