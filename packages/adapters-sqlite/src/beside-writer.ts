import type { KeptRowsOfFile } from './connection/kept-rows.ts'
import { openReader } from './connection/open-reader.ts'
import { openWriter } from './connection/open-writer.ts'
import { FileHealth } from './file/file-health.ts'
import { LongReads } from './reading/long-reads.ts'
import { ReaderPool } from './reading/reader-pool.ts'
import type { SqliteStoreParts } from './sqlite-store.ts'
import { LogSync, logOf } from './writing/log-sync.ts'
import { LongWrites } from './writing/long-writes.ts'
import { WriteAheadLog } from './writing/write-ahead-log.ts'

interface OpenFile {
  readonly file: string
  /** How many connections read it. */
  readonly readers: number
  readonly kept: KeptRowsOfFile
}

/** What there is of a file beside the connection that writes. */
export function besideWriter(
  { file, readers, kept }: OpenFile,
  onDamage: (error: unknown) => void,
): NonNullable<SqliteStoreParts['beside']> {
  const longWrites = new LongWrites(file, kept)
  const log = new WriteAheadLog(file, {
    move: () => longWrites.moveLog(),
    empty: (patienceMs) => longWrites.moveLog(patienceMs),
  })
  const longReads = new LongReads(file, log)
  const findDamage = () => longReads.check()
  return {
    reopenWriter: () => openWriter(file, kept),
    longWrites,
    readers: new ReaderPool(() => openReader(file, { kept }), readers),
    longReads,
    log,
    sync: new LogSync(logOf(file)),
    health: new FileHealth({ file, findDamage, onDamage, now: () => performance.now() }),
  }
}
