import { rememberCredential } from '@gateleg/domain/access/live-credentials'
import type { Api } from '@gateleg/domain/api'
import type { ReadTx } from '@gateleg/domain/store'
import type { Engine } from '@gateleg/engine/engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OpenEngines, openEngines } from './open-engines.ts'
import { isOn } from './storages.ts'

describe.runIf(isOn('postgres'))('what is read while the guard asks', () => {
  let opened: OpenEngines
  let ada: Api
  let bob: Api
  let spaceId: string
  let baseId: string
  let tableId: string
  let nameId: string
  let pagesId: string
  let bobId: string

  beforeEach(async () => {
    opened = await openEngines.postgres()
    const [here, elsewhere] = opened.engines as readonly [Engine, Engine]
    const { id: adaId } = await here.ensureUser({ name: 'Ada' })
    bobId = (await here.ensureUser({ name: 'Bob' })).id
    ada = elsewhere.as({ userId: adaId })
    bob = here.as({ userId: bobId })
    spaceId = (await ada.spaces.createSpace({})).id
    baseId = (await ada.bases.createBase({ spaceId })).id
    const fields = [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Pages', type: 'singleLineText' },
    ] as const
    const table = await ada.tables.createTable({ baseId, fields: [...fields], records: [] })
    tableId = table.id
    ;[nameId, pagesId] = table.fields.map(({ id }) => id) as [string, string]
    const collaborators = [{ principalId: bobId, principalType: 'user' as const }]
    await ada.collaborators.addSpaceCollaborators({ spaceId, collaborators, role: 'editor' })
    await create('Emma')
    await shown()
  })
  afterEach(() => opened.close())

  const create = (Name: string) =>
    bob.records.createRecords({ tableId, records: [{ fields: { Name } }] })
  const shown = async (query: object = {}) =>
    (await bob.records.listRecords({ tableId, ...query })).records.map(({ fields }) => fields)
  const ofBob = () => ({ spaceId, principalId: bobId, principalType: 'user' as const })

  test('[ACCESS-15] is told to nobody where the caller has no role any more', async () => {
    await ada.collaborators.removeSpaceCollaborator(ofBob())
    await expect(shown()).rejects.toMatchObject({ code: 'not_found' })
  })

  test('[ACCESS-15] is read once more where the table has other fields since', async () => {
    const State = {
      type: 'singleLineText',
      name: 'State',
      options: { defaultValue: 'new' },
    } as const
    await ada.fields.createField({ tableId, ...State })
    await create('Persuasion')
    expect(await shown()).toEqual([{ Name: 'Emma' }, { Name: 'Persuasion', State: 'new' }])
    await ada.fields.convertField({ tableId, fieldId: pagesId, type: 'number' })
    await ada.fields.updateField({ tableId, fieldId: nameId, name: 'Title' })
    expect(await shown()).toEqual([{ Title: 'Emma' }, { Title: 'Persuasion', State: 'new' }])
    await ada.fields.deleteField({ tableId, fieldId: pagesId })
    expect(await shown({ orderBy: [{ fieldId: 'State', order: 'desc' }] })).toEqual([
      { Title: 'Persuasion', State: 'new' },
      { Title: 'Emma' },
    ])
  })

  test('[ACCESS-15] is read once more where it failed, because its column is there no more', async () => {
    const byPages = { orderBy: [{ fieldId: 'Pages', order: 'asc' as const }] }
    expect(await shown(byPages)).toHaveLength(1)
    await ada.fields.updateField({ tableId, fieldId: pagesId, dbFieldName: 'other' })
    expect(await shown(byPages)).toHaveLength(1)
    await ada.fields.convertField({ tableId, fieldId: pagesId, type: 'number' })
    expect(await shown(byPages)).toHaveLength(1)
    await ada.fields.deleteField({ tableId, fieldId: pagesId })
    await expect(shown(byPages)).rejects.toMatchObject({ code: 'validation_error' })
  })

  test('[ACCESS-15] is refused as it would have been behind the guard', async () => {
    await expect(
      bob.records.listRecords({ tableId, orderBy: [{ fieldId: 'Year', order: 'asc' }] }),
    ).rejects.toMatchObject({ code: 'validation_error' })
    await ada.tables.deleteTable({ baseId, tableId })
    await expect(shown()).rejects.toMatchObject({ code: 'not_found' })
  })

  test('[ACCESS-15] keeps nothing from what the guard asks after that, where it fails', async () => {
    const [here] = opened.engines as readonly [Engine]
    // As of the token of a plugin: two questions, one after the other.
    const isStillGood = async (tx: ReadTx) => {
      await tx.users.find(bobId)
      return (await tx.users.find(bobId)) !== undefined
    }
    const actor = rememberCredential(
      { kind: 'user', userId: bobId, sessionId: 'ses1' },
      0,
      isStillGood,
    )
    const program = here.as(actor as never)
    const read = async () => (await program.records.listRecords({ tableId })).records.length
    // It is asked for in each call.
    await withLimits({ credentialMs: 0 }, async () => {
      expect(await read()).toBe(1)
      await ada.fields.updateField({ tableId, fieldId: pagesId, dbFieldName: 'other' })
      expect(await read()).toBe(1)
      await ada.fields.deleteField({ tableId, fieldId: pagesId })
      await ada.collaborators.removeSpaceCollaborator(ofBob())
      await expect(read()).rejects.toMatchObject({ code: 'not_found' })
    })
  })
})
