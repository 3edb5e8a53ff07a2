import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgres } from '@gateleg/adapters-postgres/postgres'
import { openEngine } from '@gateleg/engine/open-engine'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, makeDatabase } from '../../../../test/fresh-database.ts'
import { isOn } from '../../../../test/storages.ts'
import { sampleKey } from '../../../../test/upgrades/sample-workspace.ts'
import { move } from './move.ts'

describe.runIf(isOn('postgres'))('gateleg move of ids that are alike', () => {
  let folder: string
  let database: FreshDatabase
  let client: pg.Client

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
    database = await makeDatabase()
    const { connectionString } = database
    client = new pg.Client({ connectionString })
    await client.connect()
    const storage = postgres({ connectionString, poolSize: 2 })
    const engine = await openEngine({ storage, jobs: false, instanceKey: sampleKey })
    const { id: userId } = await engine.ensureUser({ id: 'usrAda', name: 'Ada' })
    const ada = engine.as({ userId })
    const { id: spaceId } = await ada.spaces.createSpace({ name: 'Space' })
    const base = await ada.bases.createBase({ spaceId })
    const fields = ['One', 'Two'].map((name) => ({ type: 'singleLineText' as const, name }))
    await ada.tables.createTable({ baseId: base.id, fields })
    await engine.close()
  })
  afterEach(async () => {
    await client.end()
    await database.drop()
    rmSync(folder, { recursive: true })
  })

  test('[STORE-580] [SERVER-43] is refused, names them, and writes nothing', async () => {
    const ids = ['fldAAAAAAAAAAAAAAAA', 'fldaAAAAAAAAAAAAAAA']
    // As an earlier version could make them.
    for (const [index, name] of ['One', 'Two'].entries()) {
      await client.query('update gateleg.fields set id = $1, is_unique = true where name = $2', [
        ids[index],
        name,
      ])
    }
    const to = join(folder, 'there')
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    const { connectionString } = database
    const moved = move(
      {
        database: { connectionString, poolSize: 1 },
        dataDir,
        instanceKey: sampleKey,
        s3: undefined,
      },
      to,
    )
    await expect(moved).rejects.toThrow(
      'The ids of the fields "fldAAAAAAAAAAAAAAAA" and "fldaAAAAAAAAAAAAAAA" differ in the case of letters alone',
    )
    expect(existsSync(join(to, 'gateleg.db'))).toBe(false)
    expect(readdirSync(to).filter((name) => !name.endsWith('.lock'))).toEqual([])
  })
})
