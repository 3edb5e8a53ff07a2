import Database from 'better-sqlite3'

/** A blob that a file names, and whether a cell has had it: the others may go at any time. */
export interface NamedBlob {
  readonly path: string
  readonly isAttached: boolean
}

/**
 * The blobs that a file of this version names, each once, in no order. One of an older version, or of none, names none that are
 * known of.
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
    const query = `select path, max(is_attached) as is_attached from (
        select path, attached_time is not null as is_attached from attachments
        union all select path, 0 from blobs ${small}
      ) group by path`
    for (const row of database.prepare(query).raw().iterate() as Iterable<[string, number]>) {
      yield { path: row[0], isAttached: row[1] === 1 }
    }
  } finally {
    database.close()
  }
}
