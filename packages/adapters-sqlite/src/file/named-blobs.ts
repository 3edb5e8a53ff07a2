import Database from 'better-sqlite3'

/**
 * A blob that a database file refers to, and whether a cell ever had it, or a user has it as their picture: other blobs may
 * be removed at any time.
 */
interface NamedBlob {
  readonly path: string
  readonly isAttached: boolean
}

/**
 * The blobs to which a database file refers, each once, in no order. A file of a version that had no blobs yet refers
 * to none.
 */
export function* namedBlobs(file: string): Generator<NamedBlob> {
  const database = new Database(file, { readonly: true, fileMustExist: true })
  try {
    const known = new Set(database.prepare('select name from sqlite_schema').pluck().all())
    if (!known.has('blobs')) return
    // Those of older versions have none.
    const small = known.has('thumbnails')
      ? 'union all select path, 0 from thumbnails where path is not null'
      : ''
    const pictures = known.has('avatars') ? 'union all select path, 1 from avatars' : ''
    const query = `select path, max(is_attached) as is_attached from (
        select path, attached_time is not null as is_attached from attachments
        union all select path, 0 from blobs ${small} ${pictures}
      ) group by path`
    for (const row of database.prepare(query).raw().iterate() as Iterable<[string, number]>) {
      yield { path: row[0], isAttached: row[1] === 1 }
    }
  } finally {
    database.close()
  }
}
