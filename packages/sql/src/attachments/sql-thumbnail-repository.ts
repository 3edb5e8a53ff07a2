import type { ThumbnailKind } from '@gateleg/domain/attachments/thumbnails/thumbnail'
import type {
  StoredThumbnail,
  ThumbnailRepository,
} from '@gateleg/domain/attachments/thumbnails/thumbnail-repository'
import { prepared } from '../core/database.ts'
import { insertInto } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { type ThumbnailRow, thumbnailColumns } from '../metadata/tables/thumbnail-table.ts'

const find = prepared<{ sourcePath: string; kind: ThumbnailKind }, ThumbnailRow>((db, value) =>
  db
    .selectFrom('thumbnails')
    .selectAll()
    .where('source_path', '=', value('sourcePath'))
    .where('kind', '=', value('kind')),
)

const knownPaths = prepared<{ paths: readonly string[] }, { path: string | null }>(
  (db, value, dialect) =>
    db
      .selectFrom('thumbnails')
      .select('path')
      .where(dialect.lists.isIn('path', value('paths'))),
)

/** Written as it was, so that it is held: who would remove it waits, and then sees its thumbnails. */
const holdBlob = prepared<{ path: string }, { path: string }>((db, value) =>
  db
    .updateTable('blobs')
    .set((eb) => ({ path: eb.ref('path') }))
    .where('path', '=', value('path'))
    .returning('path'),
)

const insert = insertInto('thumbnails', thumbnailColumns)

const removeOf = prepared<{ paths: readonly string[] }, unknown>((db, value, dialect) =>
  db.deleteFrom('thumbnails').where(dialect.lists.isIn('source_path', value('paths'))),
)

export class SqlThumbnailRepository implements ThumbnailRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(sourcePath: string, kind: ThumbnailKind): Promise<StoredThumbnail | undefined> {
    const row = await this.#session.first(find, { sourcePath, kind })
    return row && thumbnailColumns.toEntity(row)
  }

  async knownPaths(paths: readonly string[]): Promise<readonly string[]> {
    if (paths.length === 0) return []
    const rows = await this.#session.all(knownPaths, { paths })
    return rows.flatMap(({ path }) => path ?? [])
  }

  async insert(thumbnails: readonly StoredThumbnail[]): Promise<boolean> {
    const [first] = thumbnails
    if (!first || !(await this.#session.first(holdBlob, { path: first.sourcePath }))) return false
    if (await this.find(first.sourcePath, first.kind)) return false
    for (const thumbnail of thumbnails) {
      await this.#session.run(insert, thumbnailColumns.toRow(thumbnail))
    }
    return true
  }

  async removeOf(sourcePaths: readonly string[]): Promise<void> {
    if (sourcePaths.length > 0) await this.#session.run(removeOf, { paths: sourcePaths })
  }
}
