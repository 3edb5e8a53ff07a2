import { FileHealth } from './file-health.ts'
import type { KeptRowsOfFile } from './kept-rows.ts'
import { LogSync, logOf } from './log-sync.ts'
import { LongReads } from './long-reads.ts'
import { LongWrites } from './long-writes.ts'
import { openReader } from './open-reader.ts'
import { openWriter } from './open-writer.ts'
import { ReaderPool } from './reader-pool.ts'
import type { SqliteStoreParts } from './sqlite-store.ts'
import { WriteAheadLog } from './write-ahead-log.ts'

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
