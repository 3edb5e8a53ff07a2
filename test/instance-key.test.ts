import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import type { Storage } from '@gateleg/domain/store'
import { openEngine } from '@gateleg/engine/open-engine'
import { describe, expect, test } from 'vitest'
import { giveBackSchema, onSchema, takeSchema } from './fresh-postgres.ts'
import { isOn } from './storages.ts'

/** Storages that outlive those who open them, each with what takes it away. */
const storages = {
  sqlite: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
    const storage = sqlite({ file: join(folder, 'data.sqlite') })
    return { storage, remove: () => rmSync(folder, { recursive: true }) }
  },
  postgres: async () => {
    const schema = await takeSchema()
    return { storage: onSchema(schema), remove: () => giveBackSchema(schema) }
  },
}

async function openWith(storage: Storage, instanceKey?: string): Promise<void> {
  const options = instanceKey === undefined ? {} : { instanceKey }
  await (await openEngine({ storage, jobs: false, ...options })).close()
}

describe.each(['sqlite', 'postgres'] as const)('an instance key on %s', (name) => {
  test.runIf(isOn(name))('[ENGINE-11] is the one that the storage was begun with', async () => {
    const { storage, remove } = await storages[name]()
    const key = 'k'.repeat(32)
    await expect(openWith(storage, 'k'.repeat(31))).rejects.toThrow('32 characters or more')
    await openWith(storage, key)
    for (const other of ['o'.repeat(32), `${key}k`, undefined]) {
      await expect(openWith(storage, other)).rejects.toMatchObject({ name: 'InstanceKeyError' })
    }
    const open = await storage.open({ onCommit: () => {} })
    expect(await open.instanceKey('not kept')).toBe('not kept')
    expect(await open.instanceKey('neither')).toBe('neither')
    await open.close()
    await openWith(storage, key)
    remove()
  })

  test.runIf(isOn(name))(
    '[ENGINE-11] that was made is found again, and no other is taken',
    async () => {
      const { storage, remove } = await storages[name]()
      await openWith(storage)
      await openWith(storage)
      const refusal = { name: 'InstanceKeyError' }
      await expect(openWith(storage, 'o'.repeat(32))).rejects.toMatchObject(refusal)
      remove()
    },
  )
})
