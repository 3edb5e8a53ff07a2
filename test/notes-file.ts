import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KeptRowsOfFile } from '@gateleg/adapters-sqlite/connection/kept-rows'
import { makeDurable, openWriter } from '@gateleg/adapters-sqlite/connection/open-writer'
import { waitingColumns, waitingTable } from '@gateleg/adapters-sqlite/connection/waiting-rows'
import { findDamage } from '@gateleg/adapters-sqlite/file/find-damage'
import { LongWrites } from '@gateleg/adapters-sqlite/writing/long-writes'
import { WriteQueue } from '@gateleg/adapters-sqlite/writing/write-queue'
import type { Run, SqlConnection } from '@gateleg/sql/core/connection'
import Database from 'better-sqlite3'

/** A file with a table of notes, each with an id and a text that no other one has, and what writes to it. */
export interface NotesFile {
  readonly queue: WriteQueue
  readonly longWrites: LongWrites
  /** The ids of the notes, as another connection sees them: nothing that isn't committed. */
  committedIds(): number[]
  /** Removes the file once nothing writes. Returns what was wrong with it. */
  close(): Promise<readonly string[]>
}

/** Makes a file of notes. */
export function openNotesFile(): NotesFile {
  const folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  const file = join(folder, 'workspace.db')
  const database = new Database(file)
  makeDurable(database)
  database.exec('create table notes (id integer primary key, text text unique)')
  database.close()
  const longWrites = new LongWrites(file, new KeptRowsOfFile())
  const reopen = () => openWriter(file)
  const queue = new WriteQueue(openWriter(file), { reopen, longWrites })
  return {
    ...{ queue, longWrites },
    committedIds: () => {
      const other = new Database(file, { readonly: true })
      const ids = other.prepare('select id from notes order by id').pluck().all() as number[]
      other.close()
      return ids
    },
    close: async () => {
      await queue.idle()
      await longWrites.close()
      queue.close()
      const damage = findDamage(file)
      rmSync(folder, { recursive: true })
      return damage
    },
  }
}

/** Adds a note to a file of notes. */
export function addNote(
  connection: SqlConnection,
  id: number,
  text = `note ${id}`,
): Promise<number> {
  return connection.run('insert into notes values (?, ?)', [id, text])
}

/** Rows that are added to a table of two columns, one by one or from where they wait. */
export function addedRows(table: string, values: Run['values']): Run {
  const width = 2
  const sql = `insert into ${table} values (?, ?)`
  const addWaiting = `insert into ${table} select ${waitingColumns(width)} from ${waitingTable(width)}`
  return { sql, addWaiting, before: [], values, width }
}
