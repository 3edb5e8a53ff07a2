import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import type { Storage } from '@gateleg/domain/store'
import { inject } from 'vitest'

/** A file that has been migrated and holds nothing: migrating takes longer than all else that opening one does. */
let emptyFile: Promise<string> | undefined

async function makeEmptyFile(): Promise<string> {
  const file = join(mkdtempSync(join(inject('sqliteFolder'), 'empty-')), 'workspace.db')
  const made = await sqlite({ file }).open({ onCommit: () => {} })
  await made.close()
  return file
}

/**
 * An empty SQLite file, which is there for as long as it is open. A file, as people have it, since a database
 * in memory has no readers, no threads for what is long, and no log.
 */
export function freshSqlite(): Storage {
  return {
    name: 'sqlite',
    open: async (dependencies) => {
      const folder = mkdtempSync(join(inject('sqliteFolder'), 'workspace-'))
      const file = join(folder, 'workspace.db')
      emptyFile ??= makeEmptyFile()
      copyFileSync(await emptyFile, file)
      const open = await sqlite({ file }).open(dependencies)
      return {
        store: open.store,
        instanceKey: (candidate) => open.instanceKey(candidate),
        keyFingerprint: (candidate) => open.keyFingerprint(candidate),
        close: async () => {
          await open.close()
          rmSync(folder, { recursive: true })
        },
      }
    },
  }
}
