import type { Api } from '@gateleg/domain/api'
import type { Engine } from '@gateleg/engine/engine'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OpenEngines, openEngines } from './open-engines.ts'
import { isOn } from './storages.ts'

describe.runIf(isOn('postgres'))('a table whose fields are changed by another process', () => {
  let opened: OpenEngines
  let here: Api
  let elsewhere: Api
  let tableId: string
  let recordId: string
  let fieldId: string

  beforeEach(async () => {
    opened = await openEngines.postgres()
    const [one, other] = opened.engines as readonly [Engine, Engine]
    const { id: userId } = await one.ensureUser({ name: 'Ada' })
    here = one.as({ userId })
    elsewhere = other.as({ userId })
    const { id: spaceId } = await here.spaces.createSpace({ name: 'Space' })
    const { id: baseId } = await here.bases.createBase({ spaceId })
    const table = await here.tables.createTable({
      baseId,
      fields: [
        { name: 'Name', type: 'singleLineText' },
        { name: 'Pages', type: 'singleLineText' },
      ],
      records: [{ fields: { Name: 'Emma', Pages: '474' } }],
    })
    tableId = table.id
    recordId = table.records?.[0]?.id ?? ''
    fieldId = table.fields.find(({ name }) => name === 'Pages')?.id ?? ''
    // What is asked for ahead is asked for by the fields as they were then.
    await here.records.updateRecord({ tableId, recordId, record: { fields: { Pages: '475' } } })
  })
  afterEach(() => opened.close())

  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    'another type': () => elsewhere.fields.convertField({ tableId, fieldId, type: 'number' }),
    'another name of its column': () =>
      elsewhere.fields.updateField({ tableId, fieldId, dbFieldName: 'other' }),
    'one field less': () => elsewhere.fields.deleteField({ tableId, fieldId }),
    'one field more': () => elsewhere.fields.createField({ tableId, name: 'Year', type: 'number' }),
  }

  test.each(Object.entries(changes))(
    '[POSTGRES-5] is read and changed as it is now, at once: %s',
    async (_name, change) => {
      await change()
      const record = { fields: { Name: 'Persuasion' } }
      const changed = await here.records.updateRecord({ tableId, recordId, record })
      expect(changed.fields.Name).toBe('Persuasion')
      await change().catch(() => undefined)
      expect(await here.records.getRecord({ tableId, recordId })).toEqual(
        await elsewhere.records.getRecord({ tableId, recordId }),
      )
    },
  )
})
